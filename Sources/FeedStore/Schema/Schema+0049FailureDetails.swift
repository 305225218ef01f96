import FeedModel
import GRDB

extension Schema {
  /// Details of failures were English, and are codes; what others said stays as it is.
  static func failureDetails(_ db: Database) throws {
    let columns = [
      ("feedFetch", "failureDetail"), ("fullText", "failureDetail"), ("download", "failureDetail"),
      ("picture", "failureDetail"), ("ruleProgram", "failure"),
    ]
    for (table, column) in columns {
      let found: [String] = try db.all(
        "SELECT DISTINCT \(column) AS text FROM \(table) WHERE \(column) <> ''"
      ) { $0["text"] }
      for text in found {
        guard let detail = detail(ofEnglish: text) else { continue }
        try db.run(
          "UPDATE \(table) SET \(column) = ? WHERE \(column) = ?", [detail.code, text])
      }
    }
    try db.run(
      "UPDATE outbox SET detail = ? WHERE detail = '404: not subscribed to'",
      ["404: \(FailureDetail.notSubscribed.code)"])
  }

  private static let english: [String: FailureDetail] = [
    "not a regular file": .notARegularFile, "it cannot be read": .unreadable,
    "the connection ended within the document": .endsEarly,
    "a web page, and it doesn't link to a feed": .webPage(hasFeed: false),
    "a web page": .webPage(hasFeed: true), "JSON, but not a JSON Feed": .otherJSON,
    "plain text": .plainText, "it is damaged": .damagedList, "it names no feeds": .emptyList,
    "the server sent another part of the file": .otherPart,
  ]

  private static func detail(ofEnglish text: String) -> FailureDetail? {
    if let known = english[text] { return known }
    if let match = text.wholeMatch(of: /(cookies|password-command): (.*)/) {
      let inner = detail(ofEnglish: String(match.2)) ?? .said(String(match.2))
      return match.1 == "cookies" ? .cookies(inner) : .passwordCommand(inner)
    }
    if let match = text.wholeMatch(of: /XML of another kind, <(.*)>/) {
      return .otherXML(String(match.1))
    }
    if let match = text.wholeMatch(of: /it cannot be started \((.*)\)/) {
      return .cannotStart(.said(String(match.1)))
    }
    guard let number = text.firstMatch(of: /[0-9]+/).flatMap({ Int($0.output) }) else { return nil }
    switch text.replacing(/[0-9]+/, with: "#", maxReplacements: 1) {
    case "exit code #": return .exitCode(number)
    case "ended by signal #": return .signal(number)
    case "no end in # s": return .timeLimit(seconds: number)
    case "more than # bytes": return .byteLimit(number)
    case "there are # files of that name": return .sameName(number)
    case "# feeds": return .feeds(number)
    default: return nil
    }
  }
}
