package import FeedModel

/// Rules of a newsboat `config`: `ignore-article FEED EXPRESSION`, `highlight-article EXPRESSION
/// FOREGROUND BACKGROUND …` and `highlight PLACE REGEX FOREGROUND …` (newsboat manual, "Killfiles",
/// "Filter Language" and "Highlighting Text").
///
/// An expression with `or` becomes several rules. `skipped` names conditions without an equivalent.
package struct NewsboatRules: Sendable, Equatable {
  /// The rules in the order of the file.
  package var rules: [RuleDraft] = []
  /// A line such as "Line 3: …" for each skipped condition, with the reason.
  package var skipped: [String] = []
  package var problems: [String] = []

  private struct Problem: Error {
    var reason: String
    init(_ reason: String) { self.reason = reason }
  }

  /// Maximum number of rules from one line.
  private static let mostOfLine = 16

  /// Reads the rules and ignores other lines.
  package static func parse(_ config: String) -> NewsboatRules {
    var result = NewsboatRules()
    let lines = config.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let words = NewsboatWords.words(Array(line.utf8)[...])
      do throws(Problem) {
        switch words.first {
        case "ignore-article" where words.count > 2:
          let feed = try feed(words[1])
          result.rules += try drafts(words[2], with: feed, .hide)
        case "highlight-article" where words.count > 2:
          result.rules += try drafts(words[1], with: nil, .highlight(color(words[2])))
        case "highlight" where words.count > 3:
          result.rules.append(
            RuleDraft(
              query: try condition(words[2], in: words[1]), actions: [.highlight(color(words[3]))]))
        default: break
        }
      } catch {
        result.skipped.append("Line \(index + 1): \(error.reason).")
        result.problems.append(error.reason)
      }
    }
    return result
  }

  /// Parses `highlight articlelist kernel red default` for lists or articles.
  private static func condition(
    _ expression: String, in place: String
  ) throws(Problem) -> String {
    guard place != "feedlist" else { throw Problem("feeds have the colours of the theme") }
    guard expression.contains(where: { $0.isLetter || $0.isNumber }) else {
      throw Problem("it names no word")
    }
    if marks.contains(where: expression.contains) {
      throw Problem("links have the colour of the theme")
    }
    if isHeading(expression) {
      throw Problem("the lines above an article have the colours of the theme")
    }
    let filter = NewsboatFilter.comparison(
      .init(
        attribute: place == "articlelist" ? "title" : "content", comparator: "=~",
        value: expression))
    let query = (try? filter.search()) ?? ""
    guard (try? SearchQuery(query).isEmpty) == false else {
      throw Problem("\(query) is no condition here")
    }
    return query
  }

  /// Fragments of expressions for links and for the marks that newsboat writes into articles.
  private static let marks = [
    "://", #"\[[0-9]"#, #"\[image"#, #"\[embedded"#, #"\(link\)"#, #"\(image\)"#, #"\(embedded"#,
  ]

  private static let headings = [
    "Feed", "Title", "Author", "Date", "Link", "Flags", "Podcast Download URL",
  ]

  /// True for an expression that matches headings: `^Title:`, `^(Feed|Link):.*$`.
  private static func isHeading(_ expression: String) -> Bool {
    let start = expression.prefix { $0 != ":" }
    guard start.count < expression.count else { return false }
    let names = start.split { "^()|?[]:*.+$ ".contains($0) }
    return start.hasPrefix("^") && !names.isEmpty
      && names.allSatisfy { name in headings.contains { $0.split(separator: " ").contains(name) } }
      || headings.contains { expression.contains("\($0):") }
  }

  private static func drafts(
    _ expression: String, with condition: String?, _ action: RuleAction
  ) throws(Problem) -> [RuleDraft] {
    guard let filter = NewsboatFilter(expression) else {
      throw Problem("the expression cannot be read")
    }
    let alternatives: [[String]]
    do throws(NewsboatFilter.Untranslatable) {
      alternatives = try filter.alternatives()
    } catch {
      throw Problem(error.reason)
    }
    guard alternatives.count <= mostOfLine else {
      throw Problem("the expression has too many alternatives")
    }
    var drafts: [RuleDraft] = []
    for conditions in alternatives {
      let query = ((condition.map { [$0] } ?? []) + conditions).joined(separator: " ")
      do throws(SearchQuery.Problem) {
        guard try !SearchQuery(query).isEmpty else {
          throw .emptyField("")
        }
      } catch {
        throw Problem("\(query) is no condition here")
      }
      drafts.append(RuleDraft(query: query, actions: [action]))
    }
    return drafts
  }

  /// Returns the condition `feed:…` for an argument; `nil` for `*`.
  private static func feed(_ text: String) throws(Problem) -> String? {
    guard text != "*" else { return nil }
    guard !text.hasPrefix("regex:") else {
      throw Problem("feeds cannot be chosen by a regular expression")
    }
    guard let name = NewsboatFilter.quoted(text) else {
      throw Problem("a name with quotes, or without letters, cannot be written")
    }
    return "feed:\(name)"
  }

  /// Returns the nearest of the four colours.
  private static func color(_ name: String) -> Int {
    switch name {
    case "green", "cyan": 2
    case "blue", "magenta": 3
    case "red": 4
    default: 1
    }
  }
}
