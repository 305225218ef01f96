extension Color {
  /// Returns the nearest colour of a lower depth. Mono has only the default colour.
  public func reduced(to depth: ColorDepth) -> Color {
    switch (self, depth) {
    case (.default, _), (_, .trueColor), (.palette, .ansi256): self
    case (_, .mono): .default
    case (.palette(let index), .ansi16):
      index < 16 ? self : Palette.rgb(index).reduced(to: .ansi16)
    case (.rgb(let red, let green, let blue), .ansi256):
      .palette(Palette.nearest256(Int(red), Int(green), Int(blue)))
    case (.rgb(let red, let green, let blue), .ansi16):
      .palette(Palette.nearest16(Int(red), Int(green), Int(blue)))
    }
  }

  /// Returns the nearest of the eight basic colours, and true if its bold form, which old terminals
  /// show brighter, is nearer.
  public func reducedToEight() -> (color: Color, bold: Bool) {
    guard case .palette(let index) = reduced(to: .ansi16) else { return (.default, false) }
    // Grey would become black; dim default text is readable.
    if index == 8 { return (.default, false) }
    return index < 8 ? (.palette(index), false) : (.palette(index & 7), true)
  }
}

/// xterm's colours. The first 16 are guessed, since users change them; the cube of 216 and the 24
/// greys are fixed.
private enum Palette {
  private static let sixteen: [(Int, Int, Int)] = [
    (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205),
    (229, 229, 229), (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255),
    (255, 0, 255), (0, 255, 255), (255, 255, 255),
  ]
  private static let steps = [0, 95, 135, 175, 215, 255]

  static func nearest16(_ red: Int, _ green: Int, _ blue: Int) -> UInt8 {
    var best = (index: 0, distance: Int.max)
    for (index, color) in sixteen.enumerated() {
      let distance = distance((red, green, blue), color)
      if distance < best.distance { best = (index, distance) }
    }
    return UInt8(best.index)
  }

  static func nearest256(_ red: Int, _ green: Int, _ blue: Int) -> UInt8 {
    let cube = (step(red), step(green), step(blue))
    let inCube = (steps[cube.0], steps[cube.1], steps[cube.2])
    let grey = min(23, max(0, ((red + green + blue) / 3 - 3) / 10))
    let level = 8 + 10 * grey
    let wanted = (red, green, blue)
    if distance(wanted, (level, level, level)) < distance(wanted, inCube) {
      return UInt8(232 + grey)
    }
    return UInt8(16 + 36 * cube.0 + 6 * cube.1 + cube.2)
  }

  static func rgb(_ index: UInt8) -> Color {
    if index >= 232 {
      let level = 8 + 10 * (index - 232)
      return .rgb(level, level, level)
    }
    let cube = Int(max(index, 16)) - 16
    return .rgb(UInt8(steps[cube / 36]), UInt8(steps[cube / 6 % 6]), UInt8(steps[cube % 6]))
  }

  private static func step(_ level: Int) -> Int {
    level < 48 ? 0 : level < 115 ? 1 : (level - 35) / 40
  }

  /// Returns the squared distance, weighted by the eye's sensitivity to the primaries.
  private static func distance(_ a: (Int, Int, Int), _ b: (Int, Int, Int)) -> Int {
    let (red, green, blue) = (a.0 - b.0, a.1 - b.1, a.2 - b.2)
    return 3 * red * red + 6 * green * green + blue * blue
  }
}
