import Foundation

/// Reads the position in the file from mpv's messages over its IPC socket
/// (https://mpv.io/manual/stable/#json-ipc).
struct PlayerMessages {
  static let requests = Data(
    """
    {"command":["observe_property",1,"time-pos"]}
    {"command":["observe_property",2,"duration"]}
    {"command":["observe_property",3,"pause"]}

    """.utf8)

  /// A file that is stopped within this many seconds before its end counts as played.
  private static let credits = 10.0

  private(set) var position: Double?
  private(set) var duration: Double?
  private(set) var isPaused = false
  private(set) var hasEnded = false
  private var reachedEnd = false

  /// True if the file was played to its end, or almost.
  var isFinished: Bool {
    if reachedEnd { return true }
    guard hasEnded, let position, let duration, duration > Self.credits else { return false }
    return position >= duration - Self.credits
  }

  private struct Message: Decodable {
    var event: String?
    var name: String?
    var reason: String?
    var number: Double?
    var flag: Bool?

    private enum Key: String, CodingKey { case event, name, reason, data }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Key.self)
      event = try? values.decode(String.self, forKey: .event)
      name = try? values.decode(String.self, forKey: .name)
      reason = try? values.decode(String.self, forKey: .reason)
      number = try? values.decode(Double.self, forKey: .data)
      flag = try? values.decode(Bool.self, forKey: .data)
    }
  }

  /// Reads one line, and ignores unknown messages.
  mutating func read(_ line: Data) {
    guard !hasEnded, let message = try? JSONDecoder().decode(Message.self, from: line) else {
      return
    }
    switch (message.event, message.name) {
    case ("property-change", "time-pos"):
      if let number = message.number, number.isFinite, number >= 0 { position = number }
    case ("property-change", "duration"):
      if let number = message.number, number.isFinite, number > 0 { duration = number }
    case ("property-change", "pause"): isPaused = message.flag ?? isPaused
    case ("end-file", _):
      // A stream's address may redirect to another file, which is played next.
      guard message.reason != "redirect" else { return }
      hasEnded = true
      reachedEnd = message.reason == "eof" && position != nil
    default: break
    }
  }

  mutating func end() { hasEnded = true }
}
