public import FeedModel

/// Rules of a newsboat `config`: `ignore-article FEED EXPRESSION` and `highlight-article EXPRESSION
/// FOREGROUND BACKGROUND …` (newsboat manual, "Killfiles" and "Filter Language").
///
/// An expression with `or` becomes several rules. What Weir's conditions cannot say is named in
/// `skipped`.
public struct NewsboatRules: Sendable, Equatable {
  /// In the order of the file.
  public var rules: [RuleDraft] = []
  /// "Line 3: …", with the reason.
  public var skipped: [String] = []
  /// The reasons alone.
  public var problems: [String] = []

  /// More rules are not taken from one line.
  private static let mostOfLine = 16

  /// - Parameter config: the text of the file; other lines are passed over.
  public static func parse(_ config: String) -> NewsboatRules {
    var result = NewsboatRules()
    let lines = config.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let words = NewsboatWords.words(Array(line.utf8)[...])
      do throws(NewsboatExpression.Problem) {
        switch words.first {
        case "ignore-article" where words.count > 2:
          let feed = try feed(words[1])
          result.rules += try drafts(words[2], with: feed, .hide)
        case "highlight-article" where words.count > 2:
          result.rules += try drafts(words[1], with: nil, .highlight(color(words[2])))
        default: break
        }
      } catch {
        result.skipped.append("Line \(index + 1): \(error.reason).")
        result.problems.append(error.reason)
      }
    }
    return result
  }

  private static func drafts(
    _ expression: String, with condition: String?, _ action: RuleAction
  ) throws(NewsboatExpression.Problem) -> [RuleDraft] {
    let alternatives = try NewsboatExpression.alternatives(of: expression)
    guard alternatives.count <= mostOfLine else {
      throw NewsboatExpression.Problem("the expression has too many alternatives")
    }
    var drafts: [RuleDraft] = []
    for conditions in alternatives {
      let query = ((condition.map { [$0] } ?? []) + conditions).joined(separator: " ")
      do throws(SearchQuery.Problem) {
        guard try !SearchQuery(query).isEmpty else {
          throw .emptyField("")
        }
      } catch {
        throw NewsboatExpression.Problem("\(query) is no condition here")
      }
      drafts.append(RuleDraft(query: query, actions: [action]))
    }
    return drafts
  }

  /// `*`, or an address.
  private static func feed(_ text: String) throws(NewsboatExpression.Problem) -> String? {
    guard text != "*" else { return nil }
    guard !text.hasPrefix("regex:") else {
      throw NewsboatExpression.Problem("feeds cannot be chosen by a regular expression")
    }
    return "feed:\(try NewsboatExpression.quoted(text))"
  }

  /// The nearest of the four colours.
  private static func color(_ name: String) -> Int {
    switch name {
    case "green", "cyan": 2
    case "blue", "magenta": 3
    case "red": 4
    default: 1
    }
  }
}

/// newsboat's filter language, as far as Weir's conditions say the same.
enum NewsboatExpression {
  struct Problem: Error {
    var reason: String
    init(_ reason: String) { self.reason = reason }
  }

  /// Conditions that all must hold, of which each is an alternative to the others.
  typealias Alternatives = [[String]]

  /// Beyond so many, alternatives are nobody's.
  private static let most = 64

  static func alternatives(of text: String) throws(Problem) -> Alternatives {
    guard let filter = NewsboatFilter(text) else {
      throw Problem("the expression cannot be read")
    }
    return try alternatives(of: filter)
  }

  private static func alternatives(of filter: NewsboatFilter) throws(Problem) -> Alternatives {
    let found: Alternatives
    switch filter {
    case .comparison(let one):
      return [[try condition(one.attribute, one.comparator, one.value)]]
    case .or(let a, let b): found = try alternatives(of: a) + alternatives(of: b)
    case .and(let a, let b):
      let (first, second) = (try alternatives(of: a), try alternatives(of: b))
      guard first.count * second.count <= most else {
        throw Problem("the expression has too many alternatives")
      }
      found = first.flatMap { one in second.map { one + $0 } }
    }
    guard found.count <= most else { throw Problem("the expression has too many alternatives") }
    return found
  }

  private static func condition(
    _ name: String, _ sign: String, _ value: String
  ) throws(Problem) -> String {
    let minus = sign.hasPrefix("!") ? "-" : ""
    let kind = sign.replacing("!", with: "").replacing("=~", with: "~")
    switch (name, kind) {
    case ("title", "~"), ("author", "~"): return "\(minus)\(name):/\(slashed(value))/"
    case ("content", "~"): return "\(minus)/\(slashed(value))/"
    case ("title", "="), ("author", "="): return "\(minus)\(name):/^\(slashed(escaped(value)))$/"
    case ("feedtitle", "="), ("rssurl", "="), ("feedtitle", "~"), ("rssurl", "~"):
      guard kind == "=" || value == escaped(value) else {
        throw Problem("\(name) cannot be compared with a regular expression")
      }
      return "\(minus)feed:\(try quoted(value))"
    case ("tags", "#"): return "\(minus)tag:\(try quoted(value))"
    case ("unread", "="): return (value == "yes") == minus.isEmpty ? "is:unread" : "is:read"
    case ("enclosure_type", "~"), ("enclosure_type", "="):
      for content in ["audio", "video"] where value.contains(content) {
        return "\(minus)has:\(content)"
      }
      throw Problem("enclosure_type can be audio or video here")
    case ("age", ">"), ("age", "<"), ("age", ">="), ("age", "<="):
      guard let days = Int(value), days >= 0 else { throw Problem("age needs a number of days") }
      return kind.hasPrefix(">") ? "before:\(days)d" : "after:\(days)d"
    default: throw Problem("\(name) \(sign) has no counterpart")
    }
  }

  /// A slash within an expression between slashes.
  private static func slashed(_ text: String) -> String {
    text.replacing("\\/", with: "/").replacing("/", with: "\\/")
  }

  /// A text as an expression that matches it alone.
  private static func escaped(_ text: String) -> String {
    String(text.flatMap { "\\.+*?()|[]{}^$".contains($0) ? ["\\", $0] : [$0] })
  }

  /// A quotation has no way to hold quotes.
  static func quoted(_ text: String) throws(Problem) -> String {
    guard !text.isEmpty, !text.contains(where: { "\"\u{201C}\u{201D}\u{201E}".contains($0) }) else {
      throw Problem("a name with quotes, or without letters, cannot be written")
    }
    return "\"\(text)\""
  }
}
