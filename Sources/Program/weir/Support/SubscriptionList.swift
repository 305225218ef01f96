import FeedParsing
import Importers
import ProgramSettings

/// A list of subscriptions in any known format.
struct SubscriptionList {
  var entries: [OutlineEntry]
  var skipped: [String]
  var queries: [OutlineQuery] = []
  /// The address from which the list was fetched; `nil` if a private server sent it.
  var foreignAddress: String?
  /// True if the file is malformed or ends early.
  var isDamaged = false

  /// - Parameters:
  ///   - path: the file; `-` for standard input.
  ///   - mayBeOwn: true to accept programs and files in newsboat lists; never accepted in OPML.
  /// - Throws: if nothing in the file can be imported.
  static func read(
    _ path: String, mayBeOwn: Bool = false
  ) throws(CommandFailure) -> SubscriptionList {
    try parse(try TextFile.read(path), name: TextFile.name(path), mayBeOwn: mayBeOwn)
  }

  /// Fetches a list, which others may have written.
  static func fetch(_ url: String, _ session: Session) async throws -> SubscriptionList {
    let name = SafeText.withoutSecrets(url)
    switch try await session.discoverer().body(at: url) {
    case .success((let bytes, let isPrivate)):
      var list = try parse(bytes, name: name, mayBeOwn: false)
      if !isPrivate { list.foreignAddress = WebAddress.withoutUserInfo(url) }
      return list
    case .failure(let failure):
      throw CommandFailure(FailureWording.now.happened(failure, at: url) + ".")
    }
  }

  private static func parse(
    _ bytes: [UInt8], name: String, mayBeOwn: Bool
  ) throws(CommandFailure) -> SubscriptionList {
    let remedy = "Export your feeds as OPML from the other reader, and import that."
    let list: SubscriptionList
    do throws(ParseError) {
      let outline = try ForeignList.parse(bytes, mayBeOwn: mayBeOwn)
      list = SubscriptionList(
        entries: outline.entries, skipped: outline.skipped, queries: outline.queries,
        isDamaged: outline.isDamaged)
    } catch {
      throw CommandFailure("\(name) isn\u{2019}t a list of feeds: \(error.reason) \(remedy)")
    }
    guard !list.entries.isEmpty || !list.queries.isEmpty else {
      // A file of another kind would produce an error for each line.
      let reason = list.skipped.first.map { " (\($0.trimmingSuffix(".")))" } ?? ""
      throw CommandFailure("\(name) has no feed that can be imported\(reason). \(remedy)")
    }
    return list
  }

  func printSkipped() {
    for line in skipped { Console.note("Skipped: \(line)") }
    if isDamaged { Console.note("The file is damaged or ends early: feeds may be missing.") }
  }

  /// Returns text like "Imported 12 feeds; 3 already there; 1 line skipped".
  func sentence(added: Int, known: Int) -> String {
    var parts = ["Imported \(AmountWording.feeds(added))"]
    if known > 0 { parts.append("\(AmountWording.grouped(known)) already there") }
    if !skipped.isEmpty {
      parts.append("\(AmountWording.count(skipped.count, "line", "lines")) skipped")
    }
    if isDamaged { parts.append("the file is damaged or ends early") }
    return parts.joined(separator: "; ")
  }
}
