import Foundation

/// The receiving side of a terminal with graphics.
public enum KittyReceiver {
  /// A picture, as far as it was sent.
  public struct Received: Sendable {
    /// The width in pixels (`s`).
    public var width = 0
    /// The height in pixels (`v`).
    public var height = 0
    var depth = 32
    var data: [UInt8] = []
    /// The columns in which it is placed (`c`), or 0 if it is not placed.
    public var columns = 0
    /// The rows in which it is placed (`r`), or 0 if it is not placed.
    public var rows = 0
    /// The pixels as RGBA.
    public var pixels: [UInt8] {
      let bytes = KittyReceiver.decode(data)
      guard depth == 24 else { return bytes }
      return stride(from: 0, to: bytes.count - 2, by: 3).flatMap {
        Array(bytes[$0..<$0 + 3]) + [255]
      }
    }
  }

  /// Returns the pictures by number.
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
