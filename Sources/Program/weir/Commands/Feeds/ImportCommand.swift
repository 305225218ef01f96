import ArgumentParser
import FeedParsing
import Importers
import ProgramSettings

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
