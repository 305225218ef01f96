import Foundation
import Synchronization

/// A growing file with a temporary name in the user's folder, which overwrites nothing. If the
/// server can resume, the bytes stay for the next attempt; a discarded file leaves nothing.
final class DownloadFile: BodySink {
  private struct State: Sendable {
    var descriptor: Int32
    var received: Int64
    /// Bytes received since the last report.
    var added: Int64 = 0
    var size: Int64?
    var failure: FailureDetail?
    var toldAt: Instant?
    /// The validator to resume with; `nil` if the download cannot be resumed.
    var validator: String?
  }

  /// The interval of size reports.
  private static let interval = Duration.seconds(1)
  /// The maximum number of files with one name.
  private static let namesakes = 1_000

  private let folder: String
  private let partial: String
  private let clock: EngineClock
  private let began: @Sendable (_ validator: String?) -> Void
  private let grown: @Sendable (_ received: Int64, _ size: Int64?, _ added: Int64) -> Void
  private let state: Mutex<State>
  /// The bytes of earlier attempts; 0 for a new file.
  let start: Int64
  let validator: String?

  /// Opens the file in a folder, which is created if missing.
  /// - Parameters:
  ///   - name: the name of the unfinished file, the same for each attempt.
  ///   - validator: the validator of an earlier attempt's bytes; `nil` discards them.
  ///   - began: called with the validator of the answer, on the transport's thread.
  ///   - grown: called with the bytes received so far, the size of the whole file if known, and the
  ///     bytes since the last call, on the transport's thread. Both must return at once.
  /// - Throws: a refusal with the system's error text.
  init(
    in folder: String, name: String, validator: String?, clock: EngineClock,
    began: @escaping @Sendable (_ validator: String?) -> Void,
    grown: @escaping @Sendable (_ received: Int64, _ size: Int64?, _ added: Int64) -> Void
  ) throws(Refusal) {
    (self.folder, self.clock, self.began, self.grown) = (folder, clock, began, grown)
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    partial = folder + "/" + name
    let (descriptor, length) = try Self.open(partial, keeps: validator != nil)
    start = length
    self.validator = length > 0 ? validator : nil
    state = Mutex(State(descriptor: descriptor, received: length, validator: self.validator))
  }

  struct Refusal: Error { var detail: FailureDetail }

  deinit { close() }

  /// Returns false if the system lost data.
  @discardableResult
  private func close() -> Bool {
    let descriptor = state.withLock { state in
      defer { state.descriptor = -1 }
      return state.descriptor
    }
    return descriptor < 0 || StoreFiles.unlock(closing: descriptor)
  }

  /// Deletes an unfinished file. The next write of a running transfer then fails.
  func discard() {
    close()
    unlink(partial)
  }

  /// Ends this attempt and keeps the bytes if the server can resume.
  func pause() {
    let canGoOn = state.withLock { $0.validator != nil && $0.received > 0 && $0.failure == nil }
    if canGoOn { close() } else { discard() }
  }

  var failure: FailureDetail? { state.withLock(\.failure) }
  /// True if all bytes arrived, or the server stated no size.
  var isWhole: Bool { state.withLock { $0.size == nil || $0.size == $0.received } }

  // MARK: Receiving

  func answered(status: Int, headers: [(name: String, value: String)]) {
    func value(_ name: String) -> String? { headers.first { $0.name == name }?.value }
    let goesOn = status == 206 ? ContentRange(value("content-range")) : nil
    let validator = Self.validator(value)
    state.withLock { state in
      if status == 206 {
        // A part with another start cannot be appended.
        guard let goesOn, goesOn.start == state.received else {
          state.failure = .otherPart
          return
        }
        state.size = goesOn.total
      } else {
        guard ftruncate(state.descriptor, 0) == 0, lseek(state.descriptor, 0, SEEK_SET) == 0 else {
          state.failure = Self.systemDetail()
          return
        }
        state.received = 0
        state.size = nil
      }
      state.validator = validator ?? (status == 206 ? state.validator : nil)
    }
    began(state.withLock(\.validator))
  }

  /// Returns a strong ETag, or a last-modified date old enough to be strong (RFC 9110, §8.8.2.2 and
  /// §13.1.5); `nil` for compressed answers.
  private static func validator(_ value: (String) -> String?) -> String? {
    let coding = value("content-encoding")?.lowercased()
    guard coding == nil || coding == "identity", value("accept-ranges")?.lowercased() != "none"
    else { return nil }
    if let tag = value("etag") { return tag.hasPrefix("\"") ? tag : nil }
    guard let changed = value("last-modified"), let sent = value("date"),
      let then = HTTPDate.parse(changed, now: Date()), let now = HTTPDate.parse(sent, now: Date()),
      now.timeIntervalSince(then) >= 60
    else { return nil }
    return changed
  }

  /// - Parameter length: the length of the rest, if the attempt resumes.
  func begins(length: Int64?) {
    state.withLock { state in
      if state.size == nil { state.size = length.map { $0 + state.received } }
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let end = state.withLock { state -> WriteEnd in
      guard state.failure == nil else { return .failed }
      var rest = bytes
      while let start = rest.baseAddress, !rest.isEmpty {
        let count = Foundation.write(state.descriptor, start, rest.count)
        if count < 0 {
          if errno == EINTR { continue }
          state.failure = Self.systemDetail()
          return .failed
        }
        state.received += Int64(count)
        state.added += Int64(count)
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
      let now = clock.now()
      if let toldAt = state.toldAt, now - toldAt < Self.interval { return .unreported }
      state.toldAt = now
      return .report(Self.drain(&state))
    }
    switch end {
    case .failed: return false
    case .unreported: break
    case .report(let news): grown(news.received, news.size, news.added)
    }
    return true
  }

  private typealias Report = (received: Int64, size: Int64?, added: Int64)

  private enum WriteEnd {
    case failed
    /// The bytes are written; they are reported together with later ones.
    case unreported
    case report(Report)
  }

  private static func drain(_ state: inout State) -> Report {
    defer { state.added = 0 }
    return (state.received, state.size, state.added)
  }

  /// Reports the remaining bytes at the end of an attempt.
  func reportRest() {
    let rest = state.withLock { $0.added > 0 ? Self.drain(&$0) : nil }
    if let rest { grown(rest.received, rest.size, rest.added) }
  }

  // MARK: The end

  /// Renames the file to the wanted name, with a number if the name is taken. Returns the path.
  func save(as name: String) throws(Refusal) -> String {
    guard close() else { throw Refusal(detail: Self.systemDetail()) }
    for number in 1...Self.namesakes {
      let path = folder + "/" + Self.numbered(name, number)
      // Creates an empty file first, so that no other file is replaced.
      let reserved = Foundation.open(
        path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      guard reserved >= 0 else {
        if errno == EEXIST { continue }
        throw Refusal(detail: Self.systemDetail())
      }
      _ = Foundation.close(reserved)
      guard rename(partial, path) == 0 else {
        let detail = Self.systemDetail()
        unlink(path)
        throw Refusal(detail: detail)
      }
      return path
    }
    throw Refusal(detail: .sameName(Self.namesakes))
  }

  /// Opens the file at its end and returns its length. Locks the file, because two attempts at
  /// once, even in different processes, would mix their bytes.
  private static func open(
    _ path: String, keeps: Bool
  ) throws(Refusal) -> (descriptor: Int32, length: Int64) {
    let descriptor = Foundation.open(
      path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Refusal(detail: systemDetail()) }
    var status = stat()
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &status) == 0,
      status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1,
      keeps || ftruncate(descriptor, 0) == 0
    else {
      let detail = systemDetail()
      _ = Foundation.close(descriptor)
      throw Refusal(detail: detail)
    }
    let length = keeps ? lseek(descriptor, 0, SEEK_END) : 0
    return (descriptor, Int64(length))
  }

  private static func systemDetail() -> FailureDetail { .said(String(cString: strerror(errno))) }

  /// Returns "talk.mp3" or "talk (2).mp3".
  private static func numbered(_ name: String, _ number: Int) -> String {
    guard number > 1 else { return name }
    let dot = name.lastIndex(of: ".") ?? name.endIndex
    return name[..<dot] + " (\(number))" + name[dot...]
  }
}

/// The header `Content-Range: bytes 100-199/200` (RFC 9110, §14.4).
struct ContentRange: Equatable {
  var start: Int64
  /// The size of the whole; `nil` if unknown.
  var total: Int64?

  init?(_ text: String?) {
    guard let text, text.lowercased().hasPrefix("bytes ") else { return nil }
    let parts = text.dropFirst(6).split(separator: "/")
    let ends = parts.first?.split(separator: "-").compactMap { Int64($0) } ?? []
    guard parts.count == 2, ends.count == 2, ends[0] >= 0, ends[0] <= ends[1] else { return nil }
    start = ends[0]
    total = Int64(parts[1])
  }
}

/// The names of unfinished files, derived from data directory, download and address, so that the
/// next attempt finds its file and touches no other.
enum PartialName {
  private static func hex(_ text: String) -> String {
    let digits = String(XXH64.hash(text, seed: 0), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private static func beginning(_ directory: String) -> String { ".weir-\(hex(directory))-" }

  static func name(_ id: Int64, url: String, directory: String) -> String {
    beginning(directory) + hex("\(id) \(url)") + ".part"
  }

  /// Removes unfinished files without a download. Reads the folder before the rows, so that a new
  /// download is not removed.
  static func sweep(_ folder: String, directory: String, in store: EngineCache) throws(StoreError) {
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
      .filter { $0.hasPrefix(beginning(directory)) && $0.hasSuffix(".part") }
    guard !names.isEmpty else { return }
    let kept = Set(
      try store.downloads.unfinishedDownloads().map {
        name($0.id, url: $0.url, directory: directory)
      })
    for name in names where !kept.contains(name) { unlink(folder + "/" + name) }
  }
}
