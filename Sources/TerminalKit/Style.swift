/// A colour as a theme names it; the terminal maps it to the nearest that it has.
public enum Color: Sendable, Hashable {
  /// The terminal's own foreground or background.
  case `default`
  /// One of the 16 of the terminal's palette: 0…7 normal, 8…15 bright.
  case palette(UInt8)
  case rgb(UInt8, UInt8, UInt8)
}

/// How a cell looks.
public struct Style: Sendable, Hashable {
  public struct Attributes: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let bold = Attributes(rawValue: 1 << 0)
    public static let dim = Attributes(rawValue: 1 << 1)
    public static let italic = Attributes(rawValue: 1 << 2)
    public static let underline = Attributes(rawValue: 1 << 3)
    public static let reverse = Attributes(rawValue: 1 << 4)
    public static let strikethrough = Attributes(rawValue: 1 << 5)
  }
  public var foreground: Color
  public var background: Color
  public var attributes: Attributes
  public init(
    foreground: Color = .default, background: Color = .default, attributes: Attributes = []
  ) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }
  public static let plain = Style()
}
