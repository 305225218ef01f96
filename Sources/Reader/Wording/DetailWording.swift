/// The detail of a failure, in words, without a full stop.
public enum DetailWording {
  /// - Parameter code: The stored form.
  public static func words(_ code: String) -> String { words(FailureDetail(code: code)) }

  /// Returns text like "exit code 1"; quoted messages are not changed.
  public static func words(_ detail: FailureDetail) -> String {
    switch detail {
    case .said(let text): text
    case .exitCode(let code): "exit code \(code)"
    case .signal(let signal): "ended by signal \(signal)"
    case .timeLimit(let seconds): "no end in \(seconds) s"
    case .cannotStart(let reason): "it cannot be started (\(words(reason)))"
    case .notAllowed(let address):
      "it is not allowed on this machine; allow it with weir add \(quoted(address))"
    case .noProgram: "nothing to start"
    case .noStartDirectory: "this system cannot start a program in another directory"
    case .cancelled: "cancelled"
    case .byteLimit(let bytes): "more than \(bytes) bytes"
    case .notARegularFile: "not a regular file"
    case .unreadable: "it cannot be read"
    case .sameName(let count): "there are \(count) files of that name"
    case .otherPart: "the server sent another part of the file"
    case .endsEarly: "the connection ended within the document"
    case .webPage(hasFeed: false): "a web page, and it doesn\u{2019}t link to a feed"
    case .webPage(hasFeed: true): "a web page"
    case .otherXML(let root): "XML of another kind, <\(root)>"
    case .otherJSON: "JSON, but not a JSON Feed"
    case .plainText: "plain text"
    case .damagedList: "it is damaged"
    case .emptyList: "it names no feeds"
    case .feeds(let count): "\(count) feeds"
    case .consentPage: "it asks for consent first"
    case .robotCheck: "it checks for robots first"
    case .signInPage: "it asks to sign in first"
    case .subscriberPage: "it is for subscribers"
    case .needsScripts: "it needs JavaScript"
    case .notSubscribed: "not subscribed to"
    case .notKept: "the server confirmed it twice and did not keep it"
    case .proxyUnreachable: "the proxy cannot be reached"
    case .cookies(let reason): "cookies: \(words(reason))"
    case .passwordCommand(let reason): "password-command: \(words(reason))"
    }
  }

  /// Quotes a text as a single word for a shell.
  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: "'\\''") + "'"
  }
}
