import FeedModel
import Foundation
import Networking
import Synchronization

/// A file that grows in the user's folder under a name of its own until it is whole. What was there
/// before is never overwritten, and a file that is given up leaves nothing behind.
final class DownloadFile: BodySink {
  private struct State: Sendable {
    var descriptor: Int32
    var received: Int64 = 0
    var size: Int64?
    var failure: String?
    var toldAt: Instant?
  }

  /// Between two reports of its size.
  private static let interval = Duration.seconds(1)
  /// Files of one name beyond so many are refused.
  private static let namesakes = 1_000

  private let folder: String
  private let partial: String
  private let clock: EngineClock
  private let grown: @Sendable (_ received: Int64, _ size: Int64?) -> Void
  private let state: Mutex<State>

  /// Opens it in a folder, which is made where it is not there.
  /// - Parameter grown: told of its size now and then, on the transport's thread; must return at
  ///   once.
  /// - Throws: the system's words.
  init(
    in folder: String, clock: EngineClock,
    grown: @escaping @Sendable (_ received: Int64, _ size: Int64?) -> Void
  ) throws(Refusal) {
    (self.folder, self.clock, self.grown) = (folder, clock, grown)
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    partial = folder + "/.weir-" + UUID().uuidString + ".part"
    state = Mutex(State(descriptor: try Self.create(partial)))
  }

  struct Refusal: Error { var words: String }

  deinit { discard() }

  /// Throws away what has not been kept. A transfer that still runs then is refused its next write.
  func discard() {
    let descriptor = state.withLock { state in
      defer { state.descriptor = -1 }
      return state.descriptor
    }
    if descriptor >= 0 { close(descriptor) }
    unlink(partial)
  }

  /// Why a write was refused; nil: none was.
  var failure: String? { state.withLock(\.failure) }

  func begins(length: Int64?) { state.withLock { $0.size = length } }

  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let news = state.withLock { state -> (Bool, Int64, Int64?)? in
      var rest = bytes
      while let start = rest.baseAddress, !rest.isEmpty {
        let count = Foundation.write(state.descriptor, start, rest.count)
        if count < 0 {
          if errno == EINTR { continue }
          state.failure = Self.systemWords()
          return nil
        }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
      state.received += Int64(bytes.count)
      let now = clock.now()
      if let toldAt = state.toldAt, now - toldAt < Self.interval { return (false, 0, nil) }
      state.toldAt = now
      return (true, state.received, state.size)
    }
    guard let news else { return false }
    if news.0 { grown(news.1, news.2) }
    return true
  }

  /// Gives it a name in the folder: the one wished for, or that with a number.
  /// - Returns: its path.
  func keep(as name: String) throws(Refusal) -> String {
    let descriptor = state.withLock { state in
      defer { state.descriptor = -1 }
      return state.descriptor
    }
    guard close(descriptor) == 0 else { throw Refusal(words: Self.systemWords()) }
    for number in 1...Self.namesakes {
      let path = folder + "/" + Self.numbered(name, number)
      // Reserved by its own creation, so that nothing else is replaced.
      let reserved = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      guard reserved >= 0 else {
        if errno == EEXIST { continue }
        throw Refusal(words: Self.systemWords())
      }
      close(reserved)
      guard rename(partial, path) == 0 else {
        let words = Self.systemWords()
        unlink(path)
        throw Refusal(words: words)
      }
      return path
    }
    throw Refusal(words: "there are \(Self.namesakes) files of that name")
  }

  private static func create(_ path: String) throws(Refusal) -> Int32 {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Refusal(words: systemWords()) }
    return descriptor
  }

  private static func systemWords() -> String { String(cString: strerror(errno)) }

  /// "talk.mp3", "talk (2).mp3".
  private static func numbered(_ name: String, _ number: Int) -> String {
    guard number > 1 else { return name }
    let dot = name.lastIndex(of: ".") ?? name.endIndex
    return name[..<dot] + " (\(number))" + name[dot...]
  }
}
