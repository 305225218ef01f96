/// Pictures as sixels: rows of six pixels, one colour after another (DEC STD 070, §9.2; VT330/VT340
/// Programmer Reference, chapter 14).
package enum SixelEncoder {
  /// Terminals have at least 256 colours, of which one may be reserved.
  static let mostColors = 255
  private static let clear = UInt8(255)
  private static let band = 6

  /// Returns a sequence that draws the picture at the cursor, scaled to a size in pixels.
  /// Transparent pixels keep the background.
  package static func sequence(_ image: PixelImage, width: Int, height: Int) -> [UInt8] {
    guard width > 0, height > 0 else { return [] }
    let pixels = ScaledPixels(image, width: width, height: height)
    let palette = ColorPalette(pixels, limit: mostColors)
    var out = Array("\u{1B}P0;1;0q\"1;1;\(width);\(height)".utf8)
    for (index, color) in palette.colors.enumerated() {
      let parts = [color.red, color.green, color.blue].map { (Int($0) * 100 + 127) / 255 }
      out += "#\(index);2;\(parts[0]);\(parts[1]);\(parts[2])".utf8
    }
    let indices = palette.indices(of: pixels, clear: clear)
    for top in stride(from: 0, to: height, by: band) {
      if top > 0 { out.append(UInt8(ascii: "-")) }
      write(
        rows: top..<min(top + band, height), of: indices, width: width,
        colors: palette.colors.count, to: &out)
    }
    return out + Array("\u{1B}\\".utf8)
  }

  private static func write(
    rows: Range<Int>, of indices: [UInt8], width: Int, colors: Int, to out: inout [UInt8]
  ) {
    // A byte for each colour and column, with a bit for each row.
    var bits = [UInt8](repeating: 0, count: colors * width)
    var spans = [(first: Int, last: Int)?](repeating: nil, count: colors)
    for (bit, row) in rows.enumerated() {
      for x in 0..<width {
        let color = indices[row * width + x]
        if color == clear { continue }
        bits[Int(color) * width + x] |= 1 << UInt8(bit)
        let span = spans[Int(color)]
        spans[Int(color)] = (min(span?.first ?? x, x), max(span?.last ?? x, x))
      }
    }
    var isFirst = true
    for (color, span) in spans.enumerated() {
      guard let span else { continue }
      if !isFirst { out.append(UInt8(ascii: "$")) }
      isFirst = false
      out += "#\(color)".utf8
      repeated(0, span.first, to: &out)
      var x = span.first
      while x <= span.last {
        let value = bits[color * width + x]
        var end = x + 1
        while end <= span.last, bits[color * width + end] == value { end += 1 }
        repeated(value, end - x, to: &out)
        x = end
      }
    }
  }

  /// Writes a run of equal columns as `!COUNT` and the column, if that is shorter.
  private static func repeated(_ value: UInt8, _ count: Int, to out: inout [UInt8]) {
    if count > 3 {
      out += "!\(count)".utf8
      out.append(63 + value)
    } else {
      for _ in 0..<count { out.append(63 + value) }
    }
  }
}

/// An image scaled by nearest neighbour.
struct ScaledPixels {
  let width: Int
  let height: Int
  /// `width * height * 4` bytes.
  let bytes: [UInt8]

  init(_ image: PixelImage, width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    if image.width == width, image.height == height {
      bytes = image.bytes
      return
    }
    let columns = (0..<width).map { ($0 * 2 + 1) * image.width / (2 * width) * 4 }
    var out: [UInt8] = []
    out.reserveCapacity(width * height * 4)
    for y in 0..<height {
      let row = (y * 2 + 1) * image.height / (2 * height) * image.width * 4
      for column in columns { out += image.bytes[row + column..<row + column + 4] }
    }
    bytes = out
  }

  func isOpaque(_ pixel: Int) -> Bool { bytes[pixel * 4 + 3] >= 128 }
}
