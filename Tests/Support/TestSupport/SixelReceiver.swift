/// The receiving side of a terminal that draws sixels, and of one that draws files (iTerm2's
/// protocol).
public enum SixelReceiver {
  /// The picture that a terminal would show of one sixel string.
  public struct Received: Sendable, Equatable {
    /// The row and column of the cursor before, from 1, if the preceding sequence sets them.
    public var place: [Int]
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int
    /// The pixels as RGBA; those that were not drawn have an alpha of 0.
    public var pixels: [UInt8]

    /// Returns red, green, blue and alpha of a pixel.
    public func pixel(_ x: Int, _ y: Int) -> [UInt8] {
      Array(pixels[(y * width + x) * 4..<(y * width + x) * 4 + 4])
    }
  }

  /// Returns the pictures in the output of a program.
  public static func receive(_ bytes: [UInt8]) -> [Received] {
    var found: [Received] = []
    let begin = Array("\u{1B}P0;1;0q".utf8)
    var place = 0
    while let start = bytes[place...].firstRange(of: begin) {
      guard let end = bytes[start.upperBound...].firstRange(of: [0x1B, UInt8(ascii: "\\")]) else {
        break
      }
      if let picture = decode(
        bytes[start.upperBound..<end.lowerBound], at: cursor(before: start.lowerBound, in: bytes))
      {
        found.append(picture)
      }
      place = end.upperBound
    }
    return found
  }

  /// Returns the files that were sent by iTerm2's protocol, with their keys.
  public static func files(_ bytes: [UInt8]) -> [(keys: [String: String], file: [UInt8])] {
    var found: [(keys: [String: String], file: [UInt8])] = []
    let begin = Array("\u{1B}]1337;File=".utf8)
    var place = 0
    while let start = bytes[place...].firstRange(of: begin),
      let end = bytes[start.upperBound...].firstIndex(of: 0x07)
    {
      place = end
      let body = bytes[start.upperBound..<end]
      guard let colon = body.firstIndex(of: UInt8(ascii: ":")) else { continue }
      var keys: [String: String] = [:]
      for pair in String(decoding: body[..<colon], as: UTF8.self).split(separator: ";") {
        let sides = pair.split(separator: "=", maxSplits: 1).map(String.init)
        if sides.count == 2 { keys[sides[0]] = sides[1] }
      }
      found.append((keys, KittyReceiver.decode(Array(body[(colon + 1)...]))))
    }
    return found
  }

  private static func cursor(before end: Int, in bytes: [UInt8]) -> [Int] {
    let tail = String(decoding: bytes[max(0, end - 12)..<end], as: UTF8.self)
    guard tail.hasSuffix("H"), let start = tail.lastIndex(of: "[") else { return [] }
    return tail[tail.index(after: start)...].dropLast().split(separator: ";").compactMap { Int($0) }
  }

  private struct Parser {
    var rest: ArraySlice<UInt8>

    mutating func number() -> Int? {
      var value: Int?
      while let byte = rest.first, (0x30...0x39).contains(byte) {
        value = (value ?? 0) * 10 + Int(byte - 0x30)
        rest.removeFirst()
      }
      return value
    }

    mutating func numbers() -> [Int] {
      var all: [Int] = []
      while let value = number() {
        all.append(value)
        guard rest.first == UInt8(ascii: ";") else { break }
        rest.removeFirst()
      }
      return all
    }
  }

  private static func decode(_ body: ArraySlice<UInt8>, at place: [Int]) -> Received? {
    var parser = Parser(rest: body)
    guard parser.rest.popFirst() == UInt8(ascii: "\"") else { return nil }
    let raster = parser.numbers()
    guard raster.count == 4 else { return nil }
    var picture = Received(
      place: place, width: raster[2], height: raster[3],
      pixels: [UInt8](repeating: 0, count: raster[2] * raster[3] * 4))
    var colors: [Int: [UInt8]] = [:]
    var (x, top, color, count) = (0, 0, 0, 1)
    while let byte = parser.rest.popFirst() {
      switch byte {
      case UInt8(ascii: "#"):
        let numbers = parser.numbers()
        color = numbers.first ?? 0
        if numbers.count == 5 {
          colors[color] = numbers[2...].map { UInt8($0 * 255 / 100) } + [255]
        }
      case UInt8(ascii: "!"): count = parser.number() ?? 1
      case UInt8(ascii: "$"): x = 0
      case UInt8(ascii: "-"): (x, top) = (0, top + 6)
      case 63...126:
        guard let value = colors[color] else { return nil }
        for _ in 0..<count {
          for bit in 0..<6 where (byte - 63) >> UInt8(bit) & 1 == 1 {
            // Drawing outside of the picture is a fault.
            guard x < picture.width, top + bit < picture.height else { return nil }
            let start = ((top + bit) * picture.width + x) * 4
            picture.pixels.replaceSubrange(start..<start + 4, with: value)
          }
          x += 1
        }
        count = 1
      default: return nil
      }
    }
    return picture
  }
}

extension ArraySlice<UInt8> {
  fileprivate func firstRange(of other: [UInt8]) -> Range<Int>? {
    guard let first = other.first else { return nil }
    var place = startIndex
    while let start = self[place...].firstIndex(of: first) {
      if self[start...].starts(with: other) { return start..<start + other.count }
      place = start + 1
    }
    return nil
  }
}
