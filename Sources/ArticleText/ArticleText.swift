// Sanitised HTML → blocks of styled runs → lines of a given width. Knows no terminal: a style here is
// a meaning ("link", "code"), and the theme of the screen gives it a look.

/// What a run of text means.
public struct TextStyle: OptionSet, Sendable, Hashable {
  public let rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }
  public static let strong = TextStyle(rawValue: 1 << 0)
  public static let emphasis = TextStyle(rawValue: 1 << 1)
  public static let code = TextStyle(rawValue: 1 << 2)
  public static let link = TextStyle(rawValue: 1 << 3)
  public static let heading = TextStyle(rawValue: 1 << 4)
  public static let quote = TextStyle(rawValue: 1 << 5)
  /// Captions, list markers, rules, link numbers.
  public static let secondary = TextStyle(rawValue: 1 << 6)
  public static let strikethrough = TextStyle(rawValue: 1 << 7)
  public static let underline = TextStyle(rawValue: 1 << 8)
}

/// Text of one style in one line.
public struct StyledRun: Sendable, Equatable {
  public var text: String
  public var style: TextStyle
  /// Index into `LaidOutArticle.links`.
  public var link: Int?
  public init(_ text: String, style: TextStyle = [], link: Int? = nil) {
    self.text = text
    self.style = style
    self.link = link
  }
}

/// One line of the laid-out text.
public struct TextLine: Sendable, Equatable {
  public var runs: [StyledRun]
  /// The block (paragraph, item, heading …) that the line belongs to: the anchor of a reading
  /// position, the same at every width.
  public var block: Int
  public init(runs: [StyledRun] = [], block: Int) {
    self.runs = runs
    self.block = block
  }
}

/// An article's body at one width.
public struct LaidOutArticle: Sendable, Equatable {
  public var lines: [TextLine]
  /// Addresses in the order of their numbers: the link shown as [1] is `links[0]`.
  public var links: [String]
  public var width: Int
  public init(lines: [TextLine] = [], links: [String] = [], width: Int) {
    self.lines = lines
    self.links = links
    self.width = width
  }
}
