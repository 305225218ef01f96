// Styles are semantic ("link", "code"); the theme determines their appearance.

/// The meaning of a run of text.
public struct TextStyle: OptionSet, Sendable, Hashable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  public static let strong = TextStyle(rawValue: 1 << 0)
  public static let emphasis = TextStyle(rawValue: 1 << 1)
  public static let code = TextStyle(rawValue: 1 << 2)
  /// See `StyledRun.link` for its target.
  public static let link = TextStyle(rawValue: 1 << 3)
  /// The style of any heading. Ranks 1 and 2 also have `majorHeading`, 4 to 6 `minorHeading`.
  public static let heading = TextStyle(rawValue: 1 << 4)
  public static let quoteBar = TextStyle(rawValue: 1 << 5)
  public static let secondary = TextStyle(rawValue: 1 << 6)
  /// The style of HTML `s`, `del` and similar elements.
  public static let strikethrough = TextStyle(rawValue: 1 << 7)
  /// The style of HTML `u`, `ins` and similar elements.
  public static let underline = TextStyle(rawValue: 1 << 8)
  public static let majorHeading = TextStyle(rawValue: 1 << 9)
  public static let minorHeading = TextStyle(rawValue: 1 << 10)
  public static let codeBlock = TextStyle(rawValue: 1 << 11)
  public static let codeBar = TextStyle(rawValue: 1 << 12)
  /// The style of a keyboard key or a button.
  public static let key = TextStyle(rawValue: 1 << 13)
  // Parts of code.
  public static let comment = TextStyle(rawValue: 1 << 14)
  public static let string = TextStyle(rawValue: 1 << 15)
  public static let number = TextStyle(rawValue: 1 << 16)
  public static let keyword = TextStyle(rawValue: 1 << 17)
  /// The style of the number after a link; `secondary` is set too.
  public static let linkNumber = TextStyle(rawValue: 1 << 18)
  /// The style of the description of a picture; `secondary` is set too.
  public static let picture = TextStyle(rawValue: 1 << 19)
  /// The style of the raised sign of a footnote or reference.
  public static let note = TextStyle(rawValue: 1 << 20)
}

/// The form of link numbers.
public enum LinkNumbers: Sendable {
  /// The form "link[12]".
  case bracketed
  /// The form "link¹²".
  case raised
  case hidden
}

/// The target of a link.
public enum LinkTarget: Sendable, Hashable {
  case address(Int)
  /// A place in the article: an index for `IncrementalLayout.line(ofPlace:)`.
  case place(Int)
}

/// Text of one style in one line.
public struct StyledRun: Sendable, Equatable {
  /// The text without line breaks.
  public var text: String
  public var style: TextStyle
  public var link: LinkTarget?
  public init(_ text: String, style: TextStyle = [], link: LinkTarget? = nil) {
    (self.text, self.style, self.link) = (text, style, link)
  }
}

/// A line of the laid-out text.
public struct TextLine: Sendable, Equatable {
  /// The connection to the previous line.
  public enum Joint: Sendable {
    /// The first line of a text.
    case begins
    /// A space or line break in the text.
    case space
    /// No character, in a long word or a script without spaces.
    case nothing
    /// No character; the previous line ends in an added hyphen.
    case hyphen
  }

  /// The runs from left to right, including the margin; empty for a blank line.
  public var runs: [StyledRun] = []
  /// The number of the block (paragraph, item, heading …) that contains the line. Unlike the number
  /// of the line, it does not depend on the width.
  public var block: Int
  public var joint = Joint.begins
  /// The number of leading margin runs: bars of quotations, markers, indents.
  public var marginRuns = 0
  /// The number of trailing margin runs, in right-to-left text.
  public var marginRunsAtEnd = 0
  /// True if a page must not end with this line.
  public var isHeading = false
  /// True if the line may exceed the requested width: it scrolls sideways, except for the margin.
  public var isWide = false
  /// The picture row that the line shows after its margin.
  public var picture: PictureRow?
}

/// Content that keeps its width and scrolls sideways.
public struct WideContent: OptionSet, Sendable, Hashable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  public static let code = WideContent(rawValue: 1 << 0)
  /// Tables, which otherwise become lists of their cells.
  public static let tables = WideContent(rawValue: 1 << 1)
}

/// A width at which lines end only at breaks in the text.
package enum UnwrappedText {
  /// The width in columns; sums of such widths cannot overflow.
  package static let width = 1 << 30
}

/// Limits on the part of an article that is read.
public struct ArticleLimits: Sendable, Equatable {
  /// Maximum number of paragraphs, lines of code and rows of tables.
  public var blocks: Int
  /// Maximum length in bytes of UTF-8.
  public var text: Int
  public var links: Int
  /// Maximum number of lines at the laid-out width.
  public var lines: Int

  /// Limits beyond any article read on a screen, with bounded memory: a long novel has 3 MB and
  /// 20,000 paragraphs.
  public static let standard = ArticleLimits(
    blocks: 100_000, text: 4_194_304, links: 10_000, lines: 200_000)

  public static let unlimited = ArticleLimits(blocks: .max, text: .max, links: .max, lines: .max)
}

/// Parts of an article that were left out.
public struct ArticleCuts: OptionSet, Sendable, Hashable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// The text is longer than the limits.
  public static let text = ArticleCuts(rawValue: 1 << 0)
  public static let links = ArticleCuts(rawValue: 1 << 1)
  /// Cells of tables, or parts of them, were left out.
  public static let tables = ArticleCuts(rawValue: 1 << 2)
}
