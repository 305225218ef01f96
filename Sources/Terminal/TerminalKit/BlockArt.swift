/// Pictures as characters: each cell shows two by two pixels in two colours, as quadrant blocks of
/// Unicode (U+2580 to U+259F).
package enum BlockArt {
  /// Pixels of a picture for each cell, in both directions.
  package static let pixelsPerCell = 2

  /// - Parameters:
  ///   - columns, rows: the cells, of two by two pixels each. Pixels of larger images are averaged.
  package static func cells(_ image: PixelImage, columns: Int, rows: Int) -> [[Cell]] {
    guard columns > 0, rows > 0 else { return [] }
    return (0..<rows).map { row in
      (0..<columns).map { column in
        let pixels = (0..<4).map { part in
          sample(
            image, column * 2 + part % 2, row * 2 + part / 2, width: columns * 2, height: rows * 2)
        }
        return cell(pixels)
      }
    }
  }

  fileprivate struct Pixel {
    var red: Int
    var green: Int
    var blue: Int
    var isClear = false
  }

  private static func sample(
    _ image: PixelImage, _ x: Int, _ y: Int, width: Int, height: Int
  ) -> Pixel {
    let columns = covered(x, of: width, in: image.width)
    let rows = covered(y, of: height, in: image.height)
    var (red, green, blue, count, clear) = (0, 0, 0, 0, 0)
    let bytes = image.bytes
    for row in rows {
      for column in columns {
        let start = (row * image.width + column) * 4
        guard bytes[start + 3] >= 128 else {
          clear += 1
          continue
        }
        red += Int(bytes[start])
        green += Int(bytes[start + 1])
        blue += Int(bytes[start + 2])
        count += 1
      }
    }
    guard count > 0 else { return Pixel(red: 0, green: 0, blue: 0, isClear: true) }
    return Pixel(red: red / count, green: green / count, blue: blue / count, isClear: clear > count)
  }

  /// Returns the source pixels of a target pixel along one side: at most four, evenly spaced.
  private static func covered(_ place: Int, of count: Int, in side: Int) -> StrideTo<Int> {
    if side <= count {
      let pixel = min(side - 1, (2 * place + 1) * side / (2 * count))
      return stride(from: pixel, to: pixel + 1, by: 1)
    }
    let (start, end) = (place * side / count, (place + 1) * side / count)
    return stride(from: start, to: max(start + 1, end), by: max(1, (end - start + 3) / 4))
  }

  /// Characters, indexed by the quadrants in the first colour: upper left 1, upper right 2, lower
  /// left 4, lower right 8.
  private static let characters: [String] = [
    " ", "▘", "▝", "▀", "▖", "▌", "▞", "▛", "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█",
  ]
  /// Patterns to try: one of each complementary pair, first the halves, which join without seams.
  private static let patterns = [3, 5, 1, 2, 4, 7, 6]

  private static func cell(_ pixels: [Pixel]) -> Cell {
    let clear = pixels.indices.filter { pixels[$0].isClear }
    if clear.count == 4 { return Cell() }
    if !clear.isEmpty {
      // A transparent pixel makes the background one of the two colours.
      let mask = pixels.indices.reduce(0) { pixels[$1].isClear ? $0 : $0 | 1 << $1 }
      let color = mean(pixels.filter { !$0.isClear })
      return Cell(text: characters[mask], style: Style(foreground: color.color))
    }
    var best = (mask: 15, error: Int.max, first: pixels[0], second: pixels[0])
    let all = mean(pixels)
    let plain = pixels.reduce(0) { $0 + distance($1, all) }
    if plain <= flat { return Cell(text: " ", style: Style(background: all.color)) }
    for mask in patterns {
      let inside = pixels.indices.filter { mask & 1 << $0 != 0 }.map { pixels[$0] }
      let outside = pixels.indices.filter { mask & 1 << $0 == 0 }.map { pixels[$0] }
      let (first, second) = (mean(inside), mean(outside))
      let error =
        inside.reduce(0) { $0 + distance($1, first) }
        + outside.reduce(0) { $0 + distance($1, second) }
      if error < best.error { best = (mask, error, first, second) }
    }
    return Cell(
      text: characters[best.mask],
      style: Style(foreground: best.first.color, background: best.second.color))
  }

  /// The sum of squares up to which four pixels are drawn in one colour.
  private static let flat = 48

  private static func mean(_ pixels: [Pixel]) -> Pixel {
    let count = max(1, pixels.count)
    return Pixel(
      red: pixels.reduce(0) { $0 + $1.red } / count,
      green: pixels.reduce(0) { $0 + $1.green } / count,
      blue: pixels.reduce(0) { $0 + $1.blue } / count)
  }

  private static func distance(_ a: Pixel, _ b: Pixel) -> Int {
    let (red, green, blue) = (a.red - b.red, a.green - b.green, a.blue - b.blue)
    return 2 * red * red + 4 * green * green + 3 * blue * blue
  }
}

extension BlockArt.Pixel {
  /// The colour, rounded to steps of eight so that fewer pairs of colours are used.
  fileprivate var color: Color {
    func step(_ value: Int) -> UInt8 { UInt8(min(255, max(0, (value + 4) / 8 * 8))) }
    return .rgb(step(red), step(green), step(blue))
  }
}
