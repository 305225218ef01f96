public import FeedModel

/// What becomes of what a program prints; raw values are those of the configuration.
public nonisolated enum ProgramAnswer: String, CaseIterable, Sendable {
  /// It is kept as a note below the article.
  case show
  /// It is shown in place of the article until that is left, and not kept.
  case replace
  /// Nothing.
  case background
}

/// Something for another program: which, its environment, and what it reads.
public nonisolated struct ProgramTask: Sendable, Equatable {
  /// How the program is found.
  public enum Program: Sendable, Equatable {
    /// As typed: a name of the configuration, or a program and its arguments.
    case typed(String)
    /// The one for sound and video.
    case player
    /// The one for bookmarks.
    case bookmark
    /// The one that is called with new articles.
    case notification
  }
  /// Which program is run.
  public var program: Program
  /// `WEIR_TITLE`, `WEIR_URL` and so on. What a feed says is here and in `input`, never in a
  /// command.
  public var environment: [String: String]
  /// Text for its standard input; nil: none.
  public var input: String?
  /// The address that it is to open: one argument of its own; nil: none.
  public var address: String?
  /// The file that it is to open, likewise.
  public var file: String?
  /// What a player plays, so that its place is kept; nil: nothing is kept.
  public var playing: Playing?

  /// A file of an article, and where it was left.
  public struct Playing: Sendable, Equatable {
    /// The article that brings the file.
    public var article: ArticleID
    /// As the feed names it, wherever the file is.
    public var url: String
    /// Seconds; nil: at its beginning.
    public var from: Double?

    /// - Parameter from: seconds.
    public init(article: ArticleID, url: String, from: Double? = nil) {
      (self.article, self.url, self.from) = (article, url, from)
    }
  }

  /// What is not given is nil or empty.
  public init(
    _ program: Program, environment: [String: String] = [:], input: String? = nil,
    address: String? = nil, file: String? = nil, playing: Playing? = nil
  ) {
    self.program = program
    self.environment = environment
    self.input = input
    self.address = address
    self.file = file
    self.playing = playing
  }
}
