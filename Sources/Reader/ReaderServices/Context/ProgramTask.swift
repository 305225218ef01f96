/// The use of a program's output. Raw values are those of the configuration.
public nonisolated enum ProgramAnswer: String, CaseIterable, Sendable {
  case show
  /// Shows text in place of the article, until the user leaves the article.
  case replace
  case background
}

/// A program to run, with its environment and input.
public nonisolated struct ProgramTask: Sendable, Equatable {
  /// The way to find the program.
  public enum Program: Sendable, Equatable {
    /// A name in the configuration, or a program and its arguments.
    case typed(String)
    case player
    case bookmark
    case notification
  }
  public var program: Program
  /// Variables such as `WEIR_TITLE` and `WEIR_URL`. Data of a feed is passed here and in `input`,
  /// never in a command.
  public var environment: [String: String] = [:]
  public var input: String?
  /// A percent-encoded address to open, passed as one argument.
  public var address: String?
  public var file: String?
  /// The file whose playback position is saved.
  public var playing: Playing?

  package init(
    program: Program, environment: [String: String] = [:], input: String? = nil,
    address: String? = nil, file: String? = nil, playing: Playing? = nil
  ) {
    (self.program, self.environment, self.input) = (program, environment, input)
    (self.file, self.playing) = (file, playing)
    self.address = address.map { WebAddress($0).encoded }
  }

  /// A file of an article and its last playback position.
  public struct Playing: Sendable, Equatable {
    public var article: ArticleID
    /// The address in the feed, even if the file was saved.
    public var url: String
    /// Position in seconds.
    public var from: Double?

    package init(article: ArticleID, url: String, from: Double? = nil) {
      (self.article, self.url, self.from) = (article, url, from)
    }
  }
}

/// A command line that needs a shell.
package nonisolated enum ShellLine {
  private static let operators: Set<Character> = ["|", "<", ">", ";", "&", "$", "`", "*"]

  /// Returns the line as one argument of `sh -c`; `nil` if the line needs no shell, since it has no
  /// operators or they are quoted.
  package static func wrapped(_ line: String) -> String? {
    var quote: Character?
    var isEscaped = false
    var needsShell = false
    for character in line {
      if isEscaped {
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if character == open { quote = nil }
      } else if character == "'" || character == "\"" {
        quote = character
      } else if operators.contains(character) {
        needsShell = true
      }
    }
    guard needsShell, !line.hasPrefix("sh -c ") else { return nil }
    return "sh -c '" + line.replacing("'", with: "'\\''") + "'"
  }
}
