/// A theme's colour; terminals use the nearest colour that they have.
public enum Color: Sendable, Hashable {
  case `default`
  /// A palette index: 0…7 normal, 8…15 bright, then xterm's cube and greys.
  case palette(UInt8)
  case rgb(UInt8, UInt8, UInt8)
}

/// The appearance of a cell.
public struct Style: Sendable, Hashable {
  /// SGR attributes (ECMA-48, §8.3.117).
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
    (self.foreground, self.background, self.attributes) = (foreground, background, attributes)
  }
  public static let plain = Style()
}

extension Style: CustomStringConvertible {
  /// Text like `bold fg=4 bg=#101820`; empty for the plain style.
  public var description: String {
    let names: [(Attributes, String)] = [
      (.bold, "bold"), (.dim, "dim"), (.italic, "italic"), (.underline, "underline"),
      (.reverse, "reverse"), (.strikethrough, "strikethrough"),
    ]
    var parts = names.filter { attributes.contains($0.0) }.map(\.1)
    if foreground != .default { parts.append("fg=\(foreground)") }
    if background != .default { parts.append("bg=\(background)") }
    return parts.joined(separator: " ")
  }
}

extension Color: CustomStringConvertible {
  /// Text like `default`, `12` or `#d0d0d0`.
  public var description: String {
    switch self {
    case .default: "default"
    case .palette(let index): String(index)
    case .rgb(let red, let green, let blue):
      "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
  }
}
