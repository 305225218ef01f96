/// What is known of a failure beside its kind. It is stored as `code`; Wording turns it into words.
public enum FailureDetail: Sendable, Equatable {
  /// What a library, a server or a program said, or the name of a host, as it is.
  case said(String)

  // Programs.
  case exitCode(Int)
  case signal(Int)
  /// It had not ended after this many seconds.
  case timeLimit(seconds: Int)
  indirect case cannotStart(FailureDetail)
  /// The user has not allowed the program of this address on this machine.
  case notAllowed(String)
  /// The command line is empty.
  case noProgram
  /// The system cannot start a program in another directory.
  case noStartDirectory
  /// The user or the end of Weir ended it.
  case cancelled

  // Files.
  /// More than this many bytes.
  case byteLimit(Int)
  case notARegularFile
  case unreadable
  /// There are already this many files of that name.
  case sameName(Int)
  /// The server sent another part of a file than was requested.
  case otherPart

  // Documents.
  case endsEarly
  /// A web page, with or without a link to a feed.
  case webPage(hasFeed: Bool)
  /// XML of another kind, with the name of its root element.
  case otherXML(String)
  case otherJSON
  case plainText
  case damagedList
  case emptyList
  /// A list of this many feeds, which are too many.
  case feeds(Int)

  // Pages without an article.
  case consentPage
  case robotCheck
  case subscriberPage
  /// A page that is empty until a script runs.
  case needsScripts

  // Accounts.
  case notSubscribed
  /// The server confirmed a change twice and does not show it.
  case notKept

  // What could not be had for a request.
  indirect case cookies(FailureDetail)
  indirect case passwordCommand(FailureDetail)

  /// A stable text: a name, with a parameter after a colon; what was said, as it is.
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
    case .subscriberPage: "subscriber-page"
    case .needsScripts: "needs-scripts"
    case .notSubscribed: "not-subscribed"
    case .notKept: "not-kept"
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
      consentPage, robotCheck, subscriberPage, needsScripts, notSubscribed, notKept,
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
