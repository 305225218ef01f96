import ArgumentParser
import ProgramSettings

struct PageCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "page", abstract: "List articles for some minutes of reading today.",
    discussion: """
      Unread articles of high priority first, then the newest: one of each story, and at most two of a \
      feed. The list is chosen once a day, and again for another number of minutes. :today in the \
      reader shows the same list.
      """)

  @Argument(
    help: ArgumentHelp(
      "Minutes of reading. Default: those of the list chosen today, or 20.", valueName: "minutes"))
  var minutes: Int?

  @Flag(help: "As JSON.") var json = false
  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp("Write it as a book for an e-reader (EPUB).", valueName: "file"),
    completion: .file())
  var epub: String?
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    if let minutes, !PlanCache.minutesOfPage.contains(minutes) {
      throw ValidationError("Minutes must be from 1 to 1000.")
    }
    if json, epub != nil { throw ValidationError("Give --json or --epub, not both.") }
  }

  func run(in session: Session) async throws {
    let store = session.store.reader
    let page = try await store.plan.dailyPage(minutes: minutes)
    if let epub { return try await write(page, to: epub, session) }
    let rows = try page.articles.compactMap { try store.articles.articleRow($0) }
    var printer = try ArticlePrinter(session.store, json: json)
    try printer.print(rows)
    try printer.end(orNote: "No unread article fits \(page.minutes) min.")
    if Console.outputIsTerminal, !json {
      try Console.print(MarkWording.endOfPage(store.plan.countBeyondDailyPage()))
    }
  }

  private func write(_ page: DailyPage, to path: String, _ session: Session) async throws {
    guard !page.articles.isEmpty else {
      throw CommandFailure("No unread article fits \(page.minutes) min.")
    }
    let dates = DateWording.current
    let title = "Weir, \(dates.full(dates.now))"
    let book = BookFile(store: session.store)
    try Console.print(try await book.write(page.articles, title: title, typed: path))
  }
}
