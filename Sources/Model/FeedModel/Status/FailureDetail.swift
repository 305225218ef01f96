/// Details of a failure beyond its kind. Stored as `code`; Wording makes the text for users.
public enum FailureDetail: Sendable, Equatable {
  /// The text of a library, server or program, or a host name, unchanged.
  case said(String)

  // Programs.
  case exitCode(Int)
  case signal(Int)
  /// The program was still running after this many seconds.
  case timeLimit(seconds: Int)
  indirect case cannotStart(FailureDetail)
  /// The user has not allowed this address's program on this machine.
  case notAllowed(String)
  case noProgram
  /// The system cannot start a program in another directory.
  case noStartDirectory
  /// The program was ended by the user, or because Weir exited.
  case cancelled

  // Files.
  /// The file has more than this many bytes.
  case byteLimit(Int)
  case notARegularFile
  case unreadable
  /// This many files have the name already.
  case sameName(Int)
  /// The server sent another range of the file than requested.
  case otherPart

  // Documents.
  case endsEarly
  /// A web page, with or without a link to a feed.
  case webPage(hasFeed: Bool)
  /// XML of another kind, by its root element.
  case otherXML(String)
  case otherJSON
  case plainText
  case damagedList
  case emptyList
  /// The list has this many feeds, more than allowed.
  case feeds(Int)

  // Pages without an article.
  case consentPage
  case robotCheck
  case signInPage
  case subscriberPage
  /// The page is empty until a script runs.
  case needsScripts

  // Accounts.
  case notSubscribed
  /// The server confirmed a change twice without applying it.
  case notKept

  /// Nothing answers at the proxy's address.
  case proxyUnreachable

  // Data that a request needs and that could not be loaded.
  indirect case cookies(FailureDetail)
  indirect case passwordCommand(FailureDetail)

  /// A stable text: a name, with a parameter after a colon. The text of `said` is unchanged.
  public var code: String {
    switch self {
    case .said(let text): text
    case .exitCode(let code): "exit-code:\(code)"
    case .signal(let signal): "signal:\(signal)"
    case .timeLimit(let seconds): "time-limit:\(seconds)"
    case .cannotStart(let reason): "cannot-start:\(reason.code)"
    case .notAllowed(let address): "not-allowed:\(address)"
    case .noProgram: "no-program"
    case .noStartDirectory: "no-start-directory"
    case .cancelled: "cancelled"
    case .byteLimit(let bytes): "byte-limit:\(bytes)"
    case .notARegularFile: "not-a-regular-file"
    case .unreadable: "unreadable"
    case .sameName(let count): "same-name:\(count)"
    case .otherPart: "other-part"
    case .endsEarly: "ends-early"
    case .webPage(hasFeed: true): "web-page"
    case .webPage(hasFeed: false): "web-page-without-feed"
    case .otherXML(let root): "other-xml:\(root)"
    case .otherJSON: "other-json"
    case .plainText: "plain-text"
    case .damagedList: "damaged-list"
    case .emptyList: "empty-list"
    case .feeds(let count): "feeds:\(count)"
    case .consentPage: "consent-page"
    case .robotCheck: "robot-check"
    case .signInPage: "sign-in-page"
    case .subscriberPage: "subscriber-page"
    case .needsScripts: "needs-scripts"
    case .notSubscribed: "not-subscribed"
    case .notKept: "not-kept"
    case .proxyUnreachable: "proxy-unreachable"
    case .cookies(let reason): "cookies:\(reason.code)"
    case .passwordCommand(let reason): "password-command:\(reason.code)"
    }
  }

  public init(code: String) {
    let parts = code.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let parameter = parts.count > 1 ? String(parts[1]) : nil
    self =
      Self.simple[code]
      ?? parameter.flatMap { Self.counted(parts[0], Int($0)) ?? Self.nested(parts[0], $0) }
      ?? .said(code)
  }

  private static let simple = Dictionary(
    uniqueKeysWithValues: [
      noProgram, noStartDirectory, cancelled, notARegularFile, unreadable, otherPart, endsEarly,
      webPage(hasFeed: true), webPage(hasFeed: false), otherJSON, plainText, damagedList, emptyList,
      consentPage, robotCheck, signInPage, subscriberPage, needsScripts, notSubscribed, notKept,
      proxyUnreachable,
    ].map { ($0.code, $0) })

  private static func counted(_ name: Substring, _ number: Int?) -> FailureDetail? {
    guard let number else { return nil }
    switch name {
    case "exit-code": return .exitCode(number)
    case "signal": return .signal(number)
    case "time-limit": return .timeLimit(seconds: number)
    case "byte-limit": return .byteLimit(number)
    case "same-name": return .sameName(number)
    case "feeds": return .feeds(number)
    default: return nil
    }
  }

  private static func nested(_ name: Substring, _ parameter: String) -> FailureDetail? {
    switch name {
    case "cannot-start": return .cannotStart(FailureDetail(code: parameter))
    case "not-allowed": return .notAllowed(parameter)
    case "other-xml": return .otherXML(parameter)
    case "cookies": return .cookies(FailureDetail(code: parameter))
    case "password-command": return .passwordCommand(FailureDetail(code: parameter))
    default: return nil
    }
  }
}
