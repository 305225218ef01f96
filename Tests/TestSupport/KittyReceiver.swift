import Foundation

/// A terminal with graphics, as far as pictures are sent to it.
public enum KittyReceiver {
  /// One picture, as far as it was sent.
  public struct Received: Sendable {
    /// Pixels (`s`).
    public var width = 0
    /// Pixels (`v`).
    public var height = 0
    var depth = 32
    var data: [UInt8] = []
    /// Cells that it is placed in (`c`); 0: not placed.
    public var columns = 0
    /// Cells that it is placed in (`r`); 0: not placed.
    public var rows = 0
    /// RGBA.
    public var pixels: [UInt8] {
      let bytes = KittyReceiver.decode(data)
      guard depth == 24 else { return bytes }
      return stride(from: 0, to: bytes.count - 2, by: 3).flatMap {
        Array(bytes[$0..<$0 + 3]) + [255]
      }
    }
  }

  /// The pictures by number.
  public static func receive(_ bytes: [UInt8]) -> [Int: Received] {
    var pictures: [Int: Received] = [:]
    var current: Int?
    let text = String(decoding: bytes, as: UTF8.self)
    for part in text.components(separatedBy: "\u{1B}_G").dropFirst() {
      guard let body = part.components(separatedBy: "\u{1B}\\").first else { continue }
      let halves = body.split(separator: ";", maxSplits: 1)
      var keys: [Substring: Substring] = [:]
      for pair in (halves.first ?? "").split(separator: ",") {
        let sides = pair.split(separator: "=", maxSplits: 1)
        if sides.count == 2 { keys[sides[0]] = sides[1] }
      }
      let number = keys["i"].flatMap { Int($0) } ?? current
      guard let number else { continue }
      if keys["a"] == "t" {
        current = number
        pictures[number] = Received(
          width: Int(keys["s"] ?? "") ?? 0, height: Int(keys["v"] ?? "") ?? 0,
          depth: Int(keys["f"] ?? "") ?? 0)
      }
      if keys["a"] == "p", keys["U"] == "1" {
        pictures[number]?.columns = Int(keys["c"] ?? "") ?? 0
        pictures[number]?.rows = Int(keys["r"] ?? "") ?? 0
      }
      if keys["a"] == "d" { pictures[number] = nil }
      if keys["m"] != nil, halves.count == 2 { pictures[number]?.data += halves[1].utf8 }
    }
    return pictures
  }

  static func decode(_ text: [UInt8]) -> [UInt8] {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var values = [Int](repeating: 0, count: 256)
    for (index, character) in alphabet.enumerated() { values[Int(character)] = index }
    var out: [UInt8] = []
    for start in stride(from: 0, to: text.count - 3, by: 4) {
      let group = text[start..<start + 4].reduce(0) { $0 << 6 | values[Int($1)] }
      let padding = text[start..<start + 4].count { $0 == UInt8(ascii: "=") }
      let bytes = [group >> 16, group >> 8, group].map { UInt8(truncatingIfNeeded: $0) }
      out += bytes.prefix(3 - padding)
    }
    return out
  }
}
