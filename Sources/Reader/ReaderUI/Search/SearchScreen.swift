import TerminalViews

/// Searches all articles: a text field, with the hits below it while the user types. Keys never
/// wait for a search: each key cancels the previous one.
final class SearchScreen: Sheet {
  private let context: ReaderContext
  private var field = TextField()
  /// True if letters are text; otherwise they are keys for the list.
  private(set) var isTyping = true
  private var input = Input()
  private let list: ArticleListModel
  /// The listed hits with their query, which may be older than the query in the field.
  private var listed: ListSearch?
  /// True if Enter was pressed during the search, whose first hit is then opened.
  private var opensWhenFound = false
  /// Hits that have been on screen.
  private var found: [ArticleID: FoundArticle] = [:]
  private var loading: TimerToken?
  private var progress: SearchProgress?
  private var progressTimer: TimerToken?
  private var listHeight = 1

  /// Lines for title and passage.
  private static let linesPerHit = 2
  /// The interval for reading the progress of the search index.
  private static let progressInterval = Duration.seconds(1)

  private struct Input {
    var query: SearchQuery?
    /// The text of `query`, which differs from that of the field while the field has a problem.
    var text = ""
    var problem: SearchQuery.Problem?
    var order = SearchOrder.best
  }

  init(context: ReaderContext) {
    self.context = context
    list = ArticleListModel(
      source: .search(""), store: context.store, hits: SearchHits.none, height: 20)
  }

  var acceptsText: Bool { isTyping }
  var commandContext: CommandContext { .search }
  var title: String { "Search" }

  var caption: String? {
    var parts: [String] = []
    if loading != nil { parts.append("searching") }
    if let query = input.query, !query.isEmpty, input.problem == nil, loading == nil,
      let hits = list.query.hits
    {
      let isCut = hits.continuesBefore != nil
      parts.append((isCut ? "the newest " : "") + AmountWording.count(hits.count, "hit", "hits"))
      if hits.count > 1 { parts.append(input.order == .best ? "best first" : "newest first") }
    }
    if list.query.filter == .unread { parts.append("unread only") }
    if let progress, !progress.isComplete { parts.append("index \(progress.percent) % built") }
    return parts.isEmpty ? nil : parts.joined(separator: " · ")
  }

  var hints: [Hint] {
    if isTyping {
      return [
        Hint(key: "Enter", "read"), Hint(key: "↓", "next hit"), Hint(key: "Tab", "to the hits"),
        Hint(key: "Esc", "back"),
      ]
    }
    return bindings.hints + [Hint(.back, "back")]
  }

  /// Shows the screen again with the last search selected, so that typing replaces it.
  func reopen() {
    isTyping = true
    field = TextField(field.text, isSelected: true)
    checkProgress()
  }

  /// Searches for a text that was typed elsewhere.
  func begin(_ text: String) {
    guard !text.isEmpty else { return }
    field = TextField(text)
    typed()
  }

  func closed() { opensWhenFound = false }

  // MARK: Keys

  func handle(_ key: Key) -> Bool {
    guard isTyping else {
      guard key == .tab else { return false }
      isTyping = true
      return true
    }
    opensWhenFound = false
    switch key {
    case .escape, .control("c"): context.window?.closeSheet()
    case .enter: openFound()
    case .tab: isTyping = false
    case .down, .control("n"): list.move(.rows(1))
    case .up, .control("p"): list.move(.rows(-1))
    case .pageDown: list.move(.pages(1), overlap: 0)
    case .pageUp: list.move(.pages(-1), overlap: 0)
    default:
      let before = field.text
      if field.handle(key), field.text != before { typed() }
    }
    return true
  }

  func willPerform(_ command: Command) { opensWhenFound = false }
  func didPerform() { context.report(list.failure) }

  private(set) lazy var bindings = Bindings { [unowned self] in
    Binding.movement { self.list.move($0, overlap: 0) } + [
      Binding(.open) { self.openFound() }.hinted("read"),
      Binding(.saveSearch, unless: self.whyNotSave) {
        self.context.askToSave(search: self.field.text)
      }.hinted("save as a list"),
      Binding(
        .sort, choices: { ArgumentChoices(all: ["best", "newest"], current: self.orderName) },
        given: { self.sort($0) }
      ).hinted("order"),
      Binding(.filter) { self.isTyping = true }.hinted("edit"),
      Binding(.toggleUnreadFilter) { self.toggleUnreadFilter() },
    ]
  }

  var text: String { field.text }
  private var orderName: String { input.order == .best ? "best" : "newest" }

  private func sort(_ name: String) {
    input.order = name == "newest" ? .newest : .best
    run()
  }

  private func toggleUnreadFilter() {
    list.setFilter(list.query.filter == .unread ? .all : .unread)
    run()
  }

  /// Opens the selected hit; during a search, the first one that the search finds. If the text is
  /// no query, shows the reason instead.
  private func openFound() {
    do throws(SearchQuery.Problem) {
      _ = try SearchQuery(field.text)
    } catch {
      return input.problem = error
    }
    if loading == nil { openSelected() } else { opensWhenFound = true }
  }

  private func openSelected() {
    guard let row = list.selectedRow, let listed else { return }
    context.window?.open(row, of: listed)
  }

  private var whyNotSave: String? {
    do throws(SearchQuery.Problem) {
      return try SearchQuery(field.text).isEmpty ? "There is no search to save" : nil
    } catch {
      return SearchWording.sentence(error)
    }
  }

  // MARK: Searching

  private func typed() {
    do throws(SearchQuery.Problem) {
      input.query = try SearchQuery(field.text, isBeingTyped: true)
      input.text = field.text
      input.problem = nil
      run()
    } catch {
      // The hits stay on screen until the query is valid again.
      input.problem = error
      loading = nil
    }
  }

  private func run() {
    guard let query = input.query, !query.isEmpty else {
      loading = nil
      return show(nil)
    }
    let (list, order) = (ArticleQuery(scope: .all, filter: list.query.filter), input.order)
    let text = input.text
    loading = context.load(
      { [search = context.search] _ in try await search.hits(query, in: list, order: order) },
      then: { [weak self] hits in
        self?.loading = nil
        self?.show(ListSearch(text: text, query: query, order: order, hits: hits))
        self?.openIfWanted()
      },
      failed: { [weak self] in
        self?.loading = nil
        self?.opensWhenFound = false
      })
  }

  private func openIfWanted() {
    guard opensWhenFound else { return }
    opensWhenFound = false
    openSelected()
  }

  private func show(_ hits: ListSearch?) {
    listed = hits
    found = [:]
    list.setHits(hits?.hits ?? SearchHits.none)
    list.moveToTop()
    checkProgress()
    context.invalidate()
  }

  private func checkProgress() {
    let wasIncomplete = progress?.isComplete == false
    progress = context.read(try context.search.searchProgress())
    progressTimer = nil
    if progress?.isComplete == false {
      progressTimer = context.timers.after(Self.progressInterval) { [weak self] in
        self?.checkProgress()
        self?.context.invalidate()
        self?.context.links.events?.readEnded()
      }
    } else if wasIncomplete, list.selected == 0 {
      // There may be more hits now. If the user has moved to another hit, the list does not change.
      run()
    }
  }

  func modelUpdated(_ change: StoreChange) {
    guard list.modelUpdated(change) else { return }
    found = [:]
    context.report(list.failure)
    context.invalidate()
  }

  // MARK: Drawing

  func press(x: Int, y: Int, isDouble: Bool) {
    opensWhenFound = false
    guard y >= listTop, list.select(line: (y - listTop) / Self.linesPerHit) else { return }
    if isDouble { openSelected() }
  }

  func scroll(by rows: Int, x: Int, y: Int) { list.scroll(by: rows) }

  private var listTop = 2

  var spoken: [String]? {
    guard let row = list.selectedRow else {
      return input.query?.isEmpty == false && loading == nil ? ["No results."] : []
    }
    return [ArticleSentence.text(row, context)]
  }

  func draw(on canvas: Canvas, isFocused: Bool) {
    listTop = canvas.height > 6 ? 2 : 1
    listHeight = max(1, (canvas.height - listTop) / Self.linesPerHit)
    list.setHeight(listHeight)
    let used = canvas.write("Search: ", x: 1, y: 0, .accent)
    if isTyping {
      field.draw(on: canvas, x: 1 + used, y: 0)
    } else {
      canvas.write(field.text, x: 1 + used, y: 0, columns: canvas.width - used - 2)
    }
    if let problem = input.problem {
      canvas.write(SearchWording.sentence(problem), x: 3, y: 1, columns: canvas.width - 4, .warning)
    }
    guard !list.isEmpty else { return drawEmpty(on: canvas) }
    drawHits(on: canvas)
  }

  private func drawHits(on canvas: Canvas) {
    let rows = list.visibleRows
    let missing = rows.map(\.id).filter { found[$0] == nil }
    if !missing.isEmpty, let query = input.query {
      let articles = context.read(try context.search.found(missing, by: query))
      for article in articles ?? [] { found[article.id] = article }
    }
    let drawing = ArticleRowDrawing(canvas: canvas, context: context)
    for (place, row) in rows.enumerated() {
      let y = listTop + place * Self.linesPerHit
      let isSelected = row.id == list.selectedRow?.id
      drawing.draw(row, title: found[row.id]?.title, isSelected: isSelected, y: y)
      if let snippet = found[row.id]?.snippet {
        canvas.write(snippet, x: 3, y: y + 1, columns: canvas.width - 4, .secondary)
      }
      if isSelected { canvas.select(row: y, isFocused: !isTyping) }
    }
  }

  private static let advice = [
    "Finds articles with all words; the last can be partial.",
    "\"a phrase\"   -without   one OR other   begin*",
    "title:word   author:name   tag:word   feed:name   in:folder",
    "is:unread   is:starred   before:2026-03-21   after:7d",
    "/regular.expression/   title:/deals?/   has:audio   minutes:<3   lang:de",
  ]

  private func drawEmpty(on canvas: Canvas) {
    guard input.problem == nil, loading == nil else { return }
    var lines = Self.advice
    if input.query?.isEmpty == false {
      let advice = SearchWording.unknownField(in: input.text).map { [$0] } ?? []
      lines =
        ["No results."]
        + advice.flatMap { TextWrapping.lines($0, columns: canvas.width - 4) }
      if let progress, !progress.isComplete {
        lines.append("The index is \(progress.percent) % built; more may be found later.")
      }
    }
    for (offset, line) in lines.enumerated() {
      canvas.write(line, x: 3, y: listTop + offset, columns: canvas.width - 4, .secondary)
    }
  }
}
