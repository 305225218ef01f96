import Foundation
import ProgramSettings
import Programs
import Synchronization

/// A file that mpv plays, and the thread that follows its position.
final class PlayerSession: Sendable {
  /// Stores a position. The last one of a session survives a power cut.
  typealias Keep = @Sendable (_ playback: Playback, _ isLast: Bool) async -> Void

  /// Seconds between two stored positions.
  private static let interval = 5.0
  /// The most bytes of one message.
  private static let longestLine = 1 << 20
  /// Seconds between two attempts to connect.
  private static let pause = 0.05

  let arguments: [String]
  private let socket: String
  /// The folder made for the socket; `nil` if the user's options name the socket.
  private let folder: String?
  private let hasEnded = Mutex(false)
  private let places: AsyncStream<(Playback, isLast: Bool)>.Continuation

  /// Returns `nil` for other players, or if no socket can be made.
  /// - Parameter from: the start, in seconds.
  init?(_ arguments: [String], from: Double?, keep: @escaping Keep) {
    guard ProgramRunner.name(arguments) == "mpv" else { return nil }
    let option = "--input-ipc-server="
    if let own = arguments.last(where: { $0.hasPrefix(option) }) {
      (socket, folder) = (String(own.dropFirst(option.count)), nil)
    } else {
      guard let made = Self.makeFolder() else { return nil }
      (socket, folder) = (made + "/mpv", made)
    }
    guard socket.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else {
      if let folder { rmdir(folder) }
      return nil
    }
    var added = folder == nil ? [] : [option + socket]
    if let from { added += ["--start=\(Int(from))", "--no-resume-playback"] }
    // Added options precede the user's options, which therefore take precedence.
    self.arguments = arguments.prefix(1) + added + arguments.dropFirst()
    let (stream, continuation) = AsyncStream<(Playback, isLast: Bool)>.makeStream()
    places = continuation
    Task.detached { for await place in stream { await keep(place.0, place.isLast) } }
  }

  private static func makeFolder() -> String? {
    let base = Environment.value("XDG_RUNTIME_DIR") ?? NSTemporaryDirectory()
    var path = Array("\(base)/weir-XXXXXX".utf8CString)
    guard mkdtemp(&path) != nil else { return nil }
    return String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Listens on a separate thread until the player ends.
  func start() {
    let thread = Thread { self.listen() }
    thread.name = "player"
    thread.stackSize = 256 << 10
    thread.start()
  }

  func end() { hasEnded.withLock { $0 = true } }

  private func listen() {
    defer { places.finish() }
    let connection = connect()
    // The socket is removed, so that no other program connects and no file remains.
    if let folder {
      unlink(socket)
      rmdir(folder)
    }
    guard let descriptor = connection else { return }
    defer { close(descriptor) }
    guard send(PlayerMessages.requests, to: descriptor) else { return }
    var messages = PlayerMessages()
    var keptAt: Date?
    var wasPaused = false
    read(from: descriptor) { line in
      messages.read(line)
      let isTime = keptAt.map { Date().timeIntervalSince($0) >= Self.interval } ?? true
      guard !messages.hasEnded, isTime || messages.isPaused != wasPaused,
        let playback = Self.playback(messages)
      else { return !messages.hasEnded }
      (keptAt, wasPaused) = (playback.at, messages.isPaused)
      places.yield((playback, false))
      return true
    }
    messages.end()
    if let last = Self.playback(messages) { places.yield((last, true)) }
  }

  private static func playback(_ messages: PlayerMessages) -> Playback? {
    messages.position.map {
      Playback(
        position: $0, duration: messages.duration, isFinished: messages.isFinished, at: Date())
    }
  }

  private func connect() -> Int32? {
    while true {
      let isOver = hasEnded.withLock { $0 }
      if let descriptor = Self.connect(to: socket) { return descriptor }
      if isOver { return nil }
      Thread.sleep(forTimeInterval: Self.pause)
    }
  }

  private static func connect(to path: String) -> Int32? {
    #if os(Linux)
      let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    let descriptor = Foundation.socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { return nil }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  private func send(_ bytes: Data, to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes {
      Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) == $0.count
    }
  }

  /// Passes each line to `take` until `take` returns false or the connection ends.
  private func read(from descriptor: Int32, take: (Data) -> Bool) {
    var line = Data()
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = Foundation.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0, line.count < Self.longestLine else { return }
      for byte in buffer[..<count] {
        guard byte == 0x0A else {
          line.append(byte)
          continue
        }
        guard take(line) else { return }
        line.removeAll(keepingCapacity: true)
      }
    }
  }
}
