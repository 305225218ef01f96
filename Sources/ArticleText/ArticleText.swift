// Sanitised HTML → blocks of styled runs → lines of a given width. Knows no terminal: a style here
// is a meaning ("link", "code"), and the theme of the screen gives it a look.

/// What a run of text means.
public struct TextStyle: OptionSet, Sendable, Hashable {
  /// One bit for each meaning; a run may have several.
  public let rawValue: UInt32
  /// - Parameter rawValue: the bits; those without a name here are kept.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// HTML `strong`, `b` and the like.
  public static let strong = TextStyle(rawValue: 1 << 0)
  /// HTML `em`, `i` and the like.
  public static let emphasis = TextStyle(rawValue: 1 << 1)
  public static let code = TextStyle(rawValue: 1 << 2)
  /// Text of a link; see `StyledRun.link` for where it leads.
  public static let link = TextStyle(rawValue: 1 << 3)
  /// Of any rank; those of the ranks 1 and 2 are `majorHeading` too, those of 4 to 6
  /// `minorHeading`.
  public static let heading = TextStyle(rawValue: 1 << 4)
  public static let quoteBar = TextStyle(rawValue: 1 << 5)
  public static let secondary = TextStyle(rawValue: 1 << 6)
  /// HTML `s`, `del` and the like.
  public static let strikethrough = TextStyle(rawValue: 1 << 7)
  /// HTML `u`, `ins` and the like.
  public static let underline = TextStyle(rawValue: 1 << 8)
  /// Of rank 1 or 2; `heading` is set too.
  public static let majorHeading = TextStyle(rawValue: 1 << 9)
  /// Of rank 4 to 6; `heading` is set too.
  public static let minorHeading = TextStyle(rawValue: 1 << 10)
  public static let codeBlock = TextStyle(rawValue: 1 << 11)
  public static let codeBar = TextStyle(rawValue: 1 << 12)
  /// A key of the keyboard, a button.
  public static let key = TextStyle(rawValue: 1 << 13)
  // Parts of code.
  public static let comment = TextStyle(rawValue: 1 << 14)
  public static let string = TextStyle(rawValue: 1 << 15)
  public static let number = TextStyle(rawValue: 1 << 16)
  public static let keyword = TextStyle(rawValue: 1 << 17)
  /// The number behind a link; `secondary` is set too.
  public static let linkNumber = TextStyle(rawValue: 1 << 18)
}

/// How links show their numbers in the text.
public enum LinkNumbers: Sendable {
  /// "link[12]".
  case bracketed
  /// "link¹²".
  case raised
  case hidden
}

/// Where the text of a link leads.
public enum LinkTarget: Sendable, Hashable {
  case address(Int)
  /// To another part of the article: index into `LaidOutArticle.places`.
  case place(Int)
}

/// Text of one style in one line.
public struct StyledRun: Sendable, Equatable {
  /// Without line breaks.
  public var text: String
  public var style: TextStyle
  /// Nil: it is no link.
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

  /// From left to right, with the margin; empty: a blank line.
  public var runs: [StyledRun]
  /// The block (paragraph, item, heading …) that the line belongs to: the anchor of a reading
  /// position, the same at every width.
  public var block: Int
  /// How it goes on from the line before it.
  public var joint: Joint
  /// So many runs at the beginning are the margin: rules of quotations, markers, indents.
  public var marginRuns: Int
  /// So many at the end are: a text that runs from right to left has its margin there, and spaces
  /// at the left.
  public var marginRunsAtEnd = 0
  /// Belongs to the text that follows: a page does not end with it.
  public var isHeading: Bool
  /// May be wider than the width that was asked for: the text right of the margin is reached by
  /// scrolling.
  public var isWide: Bool
  /// The picture that it shows a row of, after its margin.
  public var picture: PictureRow?
  public init(
    runs: [StyledRun] = [], block: Int, joint: Joint = .begins, marginRuns: Int = 0,
    isHeading: Bool = false, isWide: Bool = false, picture: PictureRow? = nil
  ) {
    self.runs = runs
    self.block = block
    self.joint = joint
    self.marginRuns = marginRuns
    self.isHeading = isHeading
    self.isWide = isWide
    self.picture = picture
  }
}

/// What keeps its width where it does not fit, to be scrolled sideways.
public struct WideContent: OptionSet, Sendable, Hashable {
  public let rawValue: UInt8
  /// - Parameter rawValue: the bits; those without a name here are kept.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  public static let code = WideContent(rawValue: 1 << 0)
  /// Tables; else they become lists of their cells.
  public static let tables = WideContent(rawValue: 1 << 1)
}

/// An article's body at one width.
public struct LaidOutArticle: Sendable, Equatable {
  public var lines: [TextLine]
  /// Addresses in the order of their numbers: the link shown as [1] is `links[0]`.
  public var links: [String]
  /// Indices of the lines that links within the article lead to.
  public var places: [Int]
  /// In columns, as it was asked for; lines with `isWide` may exceed it.
  public var width: Int
  public var cuts: ArticleCuts
  public init(
    lines: [TextLine] = [], links: [String] = [], places: [Int] = [], width: Int,
    cuts: ArticleCuts = []
  ) {
    self.lines = lines
    self.links = links
    self.places = places
    self.width = width
    self.cuts = cuts
  }
}
