@testable import weir

/// The playback position that mpv reports over its socket.
@Suite("Playback with mpv") struct PlayerTests {
  private func messages(_ lines: [String]) -> PlayerMessages {
    var messages = PlayerMessages()
    for line in lines { messages.read(Data(line.utf8)) }
    return messages
  }

  @Test("Positions and durations are read from messages, and other input changes nothing")
  func places() {
    let found = messages([
      #"{"request_id":0,"error":"success"}"#, "", "{", "null", "[1]", "\u{FF}",
      #"{"event":"property-change","id":1,"name":"time-pos"}"#,
      #"{"event":"property-change","id":2,"name":"duration","data":2880.5}"#,
      #"{"event":"property-change","id":1,"name":"time-pos","data":751.25}"#,
      #"{"event":"property-change","id":1,"name":"time-pos","data":"12"}"#,
      #"{"event":"property-change","id":1,"name":"time-pos","data":-3}"#,
      #"{"event":"property-change","id":1,"name":"time-pos","data":null}"#,
      #"{"event":"property-change","id":3,"name":"pause","data":true}"#,
    ])
    #expect(found.position == 751.25 && found.duration == 2_880.5 && found.isPaused)
    #expect(!found.hasEnded && !found.isFinished)
  }

  private static let playing = [
    #"{"event":"property-change","id":2,"name":"duration","data":100}"#,
    #"{"event":"property-change","id":1,"name":"time-pos","data":50}"#,
  ]

  @Test("A file counts as played at its end, and not if it was stopped before") func ends() {
    let atEnd = messages(Self.playing + [#"{"event":"end-file","reason":"eof"}"#])
    #expect(atEnd.hasEnded && atEnd.isFinished)
    let stopped = messages(Self.playing + [#"{"event":"end-file","reason":"quit"}"#])
    #expect(stopped.hasEnded && !stopped.isFinished)
    var killed = messages(Self.playing)
    killed.end()
    #expect(!killed.isFinished)
    let near = messages(
      Self.playing + [
        #"{"event":"property-change","id":1,"name":"time-pos","data":95}"#,
        #"{"event":"end-file","reason":"quit"}"#,
      ])
    #expect(near.isFinished)
    // A file that could not be opened was not played.
    let failed = messages([#"{"event":"end-file","reason":"eof"}"#])
    #expect(failed.hasEnded && !failed.isFinished)
  }

  @Test("Messages after the end belong to another file") func next() {
    let found = messages(
      Self.playing + [
        #"{"event":"end-file","reason":"eof"}"#,
        #"{"event":"property-change","id":1,"name":"time-pos","data":3}"#,
      ])
    #expect(found.position == 50 && found.isFinished)
    let redirected = messages(
      Self.playing.prefix(1) + [
        #"{"event":"end-file","reason":"redirect"}"#,
        #"{"event":"property-change","id":1,"name":"time-pos","data":3}"#,
      ])
    #expect(redirected.position == 3 && !redirected.hasEnded)
  }

  @Test("mpv gets a socket and position before the user's arguments, and other players get nothing")
  func arguments() throws {
    let session = try #require(
      PlayerSession(["/usr/bin/mpv", "--no-video", "f.mp3"], from: 751.9) { _, _ in })
    defer { session.end() }
    session.start()
    let words = session.arguments
    #expect(words.first == "/usr/bin/mpv" && words.suffix(2) == ["--no-video", "f.mp3"])
    #expect(words[1].hasPrefix("--input-ipc-server=/") && words[2] == "--start=751")
    let plain = try #require(PlayerSession(["mpv", "f.mp3"], from: nil) { _, _ in })
    plain.end()
    plain.start()
    #expect(!plain.arguments.contains { $0.hasPrefix("--start") })
    #expect(PlayerSession(["vlc", "f.mp3"], from: 5) { _, _ in } == nil)
    #expect(PlayerSession(["mpv-wrapper", "f.mp3"], from: 5) { _, _ in } == nil)
    let own = try #require(
      PlayerSession(["mpv", "--input-ipc-server=/tmp/own", "f.mp3"], from: nil) { _, _ in })
    own.end()
    own.start()
    #expect(own.arguments == ["mpv", "--input-ipc-server=/tmp/own", "f.mp3"])
  }

  @Test("Reported positions are stored, the last one when the player ends")
  func session() async throws {
    let (kept, keeping) = AsyncStream<(Playback, Bool)>.makeStream()
    let session = try #require(
      PlayerSession(["mpv", "f.mp3"], from: nil) { playback, isLast in
        keeping.yield((playback, isLast))
        if isLast { keeping.finish() }
      })
    let path = String(session.arguments[1].dropFirst("--input-ipc-server=".count))
    let player = try FakePlayer(path)
    session.start()
    let asked = player.accept()
    #expect(asked.contains(#"["observe_property",1,"time-pos"]"#))
    player.say(
      Self.playing + [
        #"{"event":"property-change","id":1,"name":"time-pos","data":60}"#,
        #"{"event":"end-file","reason":"quit"}"#,
      ])
    player.close()
    var all: [(Playback, Bool)] = []
    for await one in kept { all.append(one) }
    let last = try #require(all.last)
    #expect(last.0.position == 60 && last.0.duration == 100 && !last.0.isFinished && last.1)
    #expect(all.dropLast().allSatisfy { !$0.1 })
    #expect(all.first?.0.position == 50)
  }
}

/// A fake mpv with a socket.
private final class FakePlayer {
  private let listening: Int32
  private var connection: Int32 = -1

  struct Failure: Error {}

  init(_ path: String) throws {
    listening = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listening, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0, listen(listening, 1) == 0 else { throw Failure() }
  }

  /// Waits for the connection and returns the requests read from it.
  func accept() -> String {
    connection = Foundation.accept(listening, nil, nil)
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = read(connection, &buffer, buffer.count)
    return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
  }

  func say(_ lines: [String]) {
    for line in lines {
      let bytes = Array((line + "\n").utf8)
      _ = write(connection, bytes, bytes.count)
    }
  }

  func close() {
    _ = Foundation.close(connection)
    _ = Foundation.close(listening)
  }
}
