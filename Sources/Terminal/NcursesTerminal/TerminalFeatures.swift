import CNcurses
package import TerminalKit

/// The features of the terminal, and the keys of its input, without taking the terminal over.
package enum TerminalFeatures {
  /// - Throws: if the terminal cannot be drawn on.
  package static func read(
    _ environment: [String: String]
  ) throws(TerminalError) -> (profile: TerminalProfile, supportsUTF8: Bool) {
    try NcursesTerminal.type(environment)
    return (TerminalDescription.profile(environment: environment), weir_locale())
  }

  /// Divides bytes that arrived together into keys; `nil` for an unknown sequence. Sequences that
  /// only terminfo names are unknown.
  package static func keys(of bytes: [UInt8]) -> [(bytes: [UInt8], key: Key?)] {
    var scanner = InputScanner()
    return (scanner.scan(bytes) + scanner.timeOut()).flatMap {
      unit -> [(bytes: [UInt8], key: Key?)] in
      switch unit {
      case .text(let text):
        text.map { (bytes: Array(String($0).utf8), key: Key.characters(of: String($0)).first) }
      case .sequence(let bytes): [(bytes: bytes, key: key(of: bytes))]
      case .paste, .answer: []
      }
    }
  }

  private static func key(of bytes: [UInt8]) -> Key? {
    if bytes.count == 1, bytes[0] < 0x20 || bytes[0] == 0x7F { return Key(controlByte: bytes[0]) }
    if let key = KeyDefinitions.common[bytes] { return key }
    if let plain = InputSequence.withoutModifiers(bytes) { return key(of: plain) }
    let text = String(decoding: bytes.drop { $0 == 0x1B }, as: UTF8.self)
    return bytes.first == 0x1B ? Key.alt(of: text) : Key.characters(of: text).first
  }
}
