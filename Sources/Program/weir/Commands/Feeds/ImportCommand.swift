import ArgumentParser
import FeedModel
import FeedParsing
import FeedStore
import Importers
import ProgramSettings
import SyncEngine
import Wording

struct ImportCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import subscriptions: OPML, or the lists of newsboat, newsraft and elfeed.",
    discussion: """
      The format of the file is detected: OPML 1.0 and 2.0, newsboat’s urls, newsraft’s feeds, the list \
      elfeed-feeds in an Emacs configuration, an outline of elfeed-org.

      --newsboat takes a whole directory: the list with its queries as saved searches, the articles of the \
      cache, and the configuration. The converted settings are written to a separate file beside \
      config.toml, with a report of renamed and unsupported settings; your configuration is not changed.

      Feeds you already have do not change. Feeds that run a program or read a file are skipped \
      unless you give --with-programs. newsboat’s cache has articles with their read state, and the \
      titles of feeds; flagged articles are starred, deleted ones are left out, and missing \
      feeds are added.

      --starred adds starred articles, read and with your labels as tags. Those of feeds that you do not \
      follow are in the list Kept of the reader; no feed is added.
      """)

  @Argument(
    help: "A file, or the address of one; - reads standard input.", completion: .file())
  var file: String?

  @Option(
    name: .customLong("newsboat-cache"),
    help: ArgumentHelp("newsboat’s cache.db: articles, read and flagged.", valueName: "cache.db"),
    completion: .file(extensions: ["db"]))
  var newsboatCache: String?

  @Option(
    help: ArgumentHelp(
      "newsboat’s directory: urls, cache.db, config; usually ~/.newsboat or ~/.config/newsboat.",
      valueName: "dir"), completion: .directory)
  var newsboat: String?

  @Option(
    help: ArgumentHelp(
      "Starred articles in Google Reader’s JSON, as Inoreader, The Old Reader and FreshRSS export them.",
      valueName: "starred.json"), completion: .file(extensions: ["json"]))
  var starred: String?

  @Flag(
    help: ArgumentHelp(
      "Include feeds from programs and files (exec:, filter:, file:) in newsboat’s urls file and cache, and "
        + "the proxies, user agents, headers and cookies that an OPML file sets for feeds. Only for lists that "
        + "you wrote yourself: Weir runs these programs."))
  var withPrograms = false

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    if file == nil, newsboatCache == nil, newsboat == nil, starred == nil {
      throw ValidationError("Name a file, or newsboat’s directory with --newsboat.")
    }
  }

  func run(in session: Session) async throws {
    let library = LibraryImport(session: session, mayBeOwn: withPrograms)
    if let newsboat { try await library.importNewsboat(Paths.expandingHome(newsboat)) }
    if let file { try await importList(file, session, library) }
    if let newsboatCache { try await library.importArticles(newsboatCache) }
    if let starred { try await library.importStarred(starred) }
  }

  private func importList(
    _ file: String, _ session: Session, _ library: LibraryImport
  ) async throws {
    let isForeign = WebAddress(file).isHTTP
    let list =
      isForeign
      ? try await SubscriptionList.fetch(file, session)
      : try SubscriptionList.read(file, mayBeOwn: withPrograms)
    list.printSkipped()
    try await library.subscribe(to: list, at: file, mayBeOwn: withPrograms && !isForeign)
  }
}

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
      throw CommandFailure(
        FailureWording.now.happened(failure, subject: FailureWording.subject(url)) + ".")
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

  /// Reports each skipped line, and a damaged file.
  func printSkipped() {
    for line in skipped { Console.note("Skipped: \(line)") }
    if isDamaged { Console.note("The file is damaged or ends early: feeds may be missing.") }
  }

  /// Returns text like "Imported 12 feeds; 3 already there; 1 line skipped".
  func sentence(added: Int, known: Int) -> String {
    var parts = ["Imported \(AmountWording.count(added, "feed", "feeds"))"]
    if known > 0 { parts.append("\(AmountWording.grouped(known)) already there") }
    if !skipped.isEmpty {
      parts.append("\(AmountWording.count(skipped.count, "line", "lines")) skipped")
    }
    if isDamaged { parts.append("the file is damaged or ends early") }
    return parts.joined(separator: "; ")
  }
}
