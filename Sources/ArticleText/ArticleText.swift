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

/// Where the text of a link leads.
public enum LinkTarget: Sendable, Hashable {
  /// Index into `LaidOutArticle.links`.
  case address(Int)
  /// To another part of the article: index into `LaidOutArticle.places`.
  case place(Int)
}

/// Text of one style in one line.
public struct StyledRun: Sendable, Equatable {
  public var text: String
  public var style: TextStyle
  public var link: LinkTarget?
  public init(_ text: String, style: TextStyle = [], link: LinkTarget? = nil) {
    self.text = text
    self.style = style
    self.link = link
  }
}

/// One line of the laid-out text.
public struct TextLine: Sendable, Equatable {
  /// How a line goes on from the one before it.
  public enum Joint: Sendable {
    /// Not at all: a text begins.
    case begins
    /// Where the one ends and the other begins the text has a space or a line break.
    case space
    /// The text has nothing there: a word that is too long, or writing without spaces.
    case nothing
    /// As `nothing`, and the line before ends in a hyphen that the text does not have.
    case hyphen
  }

  public var runs: [StyledRun]
  /// The block (paragraph, item, heading …) that the line belongs to: the anchor of a reading
  /// position, the same at every width.
  public var block: Int
  public var joint: Joint
  /// So many runs at the beginning are the margin: rules of quotations, markers, indents.
  public var marginRuns: Int
  public init(
    runs: [StyledRun] = [], block: Int, joint: Joint = .begins, marginRuns: Int = 0
  ) {
    self.runs = runs
    self.block = block
    self.joint = joint
    self.marginRuns = marginRuns
  }
}

/// An article's body at one width.
public struct LaidOutArticle: Sendable, Equatable {
  public var lines: [TextLine]
  /// Addresses in the order of their numbers: the link shown as [1] is `links[0]`.
  public var links: [String]
  /// Indices of the lines that links within the article lead to.
  public var places: [Int]
  public var width: Int
  public init(
    lines: [TextLine] = [], links: [String] = [], places: [Int] = [], width: Int
  ) {
    self.lines = lines
    self.links = links
    self.places = places
    self.width = width
  }
}
