public import FeedModel

/// The use of a program's output; raw values are those of the configuration.
public nonisolated enum ProgramAnswer: String, CaseIterable, Sendable {
  case show
  /// Text in place of the article, until the user leaves it.
  case replace
  case background
}

/// A program to run, with its environment and input.
public nonisolated struct ProgramTask: Sendable, Equatable {
  /// The way in which the program is found.
  public enum Program: Sendable, Equatable {
    /// A name of the configuration, or a program and its arguments.
    case typed(String)
    case player
    case bookmark
    case notification
  }
  public var program: Program
  /// `WEIR_TITLE`, `WEIR_URL` and so on. Data of a feed is passed here and in `input`, never in a
  /// command.
  public var environment: [String: String] = [:]
  public var input: String?
  /// An address to open: one argument.
  public var address: String?
  public var file: String?
  /// The file whose playing position is kept.
  public var playing: Playing?

  package init(
    program: Program, environment: [String: String] = [:], input: String? = nil,
    address: String? = nil, file: String? = nil, playing: Playing? = nil
  ) {
    self.program = program
    self.environment = environment
    self.input = input
    self.address = address
    self.file = file
    self.playing = playing
  }

  /// A file of an article, and where it was left.
  public struct Playing: Sendable, Equatable {
    public var article: ArticleID
    /// As the feed names it, wherever the file is.
    public var url: String
    /// Seconds.
    public var from: Double?

    package init(
      article: ArticleID, url: String, from: Double? = nil
    ) {
      self.article = article
      self.url = url
      self.from = from
    }
  }
}
