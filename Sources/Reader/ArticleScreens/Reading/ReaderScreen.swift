internal import ArticleText
package import TerminalKit
internal import TerminalViews

/// The third pane: one article.
package final class ReaderScreen: Screen {
  let context: ReaderContext
  private(set) var text: ShownText?
  private let record: ReadingRecord
  let page: ArticlePage
  package let pictures: ArticlePictures
  let finder: ArticleFinder
  let highlights: ArticleHighlights
  var view = PageWindow()
  /// The requested place, until it has been laid out.
  var goal: Goal?
  /// The positions to return to: where links within the article were followed, the latest last.
  var origins: [ReadingPosition] = []
  /// The open list of links. Link numbers are emphasised while it is open or a number is typed.
  weak var linkPrompt: LinkListPrompt?
  package var hasTypedNumber = false
  /// The user's choice until the program ends; `nil` to use the configuration.
  var wrapsCode: Bool?

  /// A place in a long article that has not been laid out yet.
  enum Goal {
    case position(ReadingPosition)
    case end
    case place(Int)
    /// The first word of the search that found the article.
    case hit
  }

  package init(context: ReaderContext) {
    self.context = context
    record = ReadingRecord(context: context)
    page = ArticlePage(context: context)
    pictures = ArticlePictures(context: context)
    finder = ArticleFinder(context: context)
    highlights = ArticleHighlights(context: context)
    page.isReady = { [weak self] in self?.isReady($0) ?? true }
    page.onReplaced = { [weak self] in self?.replaced($0) }
    page.onAdvanced = { [weak self] in self?.advanced() }
  }

  var commandContext: CommandContext { .reader }
  package var article: Article? { text?.open.article }
  /// Articles that are being marked read: in the cache they still count as unread.
  package var beingMarked: Set<ArticleID> { record.beingMarked }
  package var frame: Size {
    get { view.size }
    set { view.size = newValue }
  }
  var document: ArticleDocument? { page.document }
  var title: String { article?.row.feedName ?? "" }

  /// The share of the article above the end of the view, for the rule below; `nil` if the whole
  /// article is in view.
  package var progress: String? {
    guard let document, document.lines.count > view.size.height else { return nil }
    guard document.isComplete else { return "…" }
    let seen = min(99, (view.top + view.size.height) * 100 / document.lines.count)
    return view.top >= lastTop ? "end" : "\(seen) %"
  }

  /// The share of the article above the end of the view; `nil` while its length is unknown.
  private var seen: Double? {
    guard let document, document.isComplete else { return nil }
    if view.top >= lastTop { return 1 }
    return Double(view.top + view.size.height) / Double(document.lines.count)
  }

  // MARK: Articles

  /// Shows an article at its last reading position, and marks it read.
  /// - Parameter search: The search that found the article; its words are marked.
  package func open(_ id: ArticleID, of search: ListSearch? = nil) {
    show(id, of: search)
    if let article, article.id == id { record.markRead(article) }
  }

  package func show(_ id: ArticleID, of search: ListSearch? = nil) {
    guard id != article?.id else { return }
    remember()
    do {
      guard let found = try OpenArticle.load(id, context.store) else {
        return context.note("This article is no longer here")
      }
      text = ShownText(found)
      let place = record.begin(found)
      goal = place.map { .position($0) }
    } catch {
      return context.report(error)
    }
    page.clear()
    finder.find("", in: nil)
    highlights.show(article)
    (view.top, view.sideways, view.isPaged) = (0, 0, true)
    showText()
    if let search {
      goal = .hit
      finder.findWords(of: search, in: document) { [weak self] in self?.showFirstHit() }
    }
    context.invalidate()
  }

  /// Shows the first word of the search that found the article, unless the user has scrolled.
  func showFirstHit() {
    guard case .hit? = goal else { return }
    if document?.isComplete == true { goal = nil }
    if !finder.findings.lines.isEmpty { showHit(from: 0) }
  }

  package func close() {
    remember()
    text = nil
    pictures.close()
    page.clear()
    context.invalidate()
  }

  /// Saves the reading position.
  package func remember() {
    guard let article, let document else { return }
    var place = view.top == 0 ? nil : document.position(line: view.top)
    place?.seen = seen
    record.save(place, of: article.id)
  }

  package func modelUpdated(_ change: StoreChange) {
    if change.contains(.requests) { pictures.modelUpdated() }
    if change.contains(.playback) { updatePlaybacks() }
    guard !change.isDisjoint(with: [.articles, .statuses, .subscriptions, .requests, .syncStatus]),
      var text,
      let new = context.read(try text.open.updated(change, context.store))
    else { return }
    let old = text.open
    // The texts about waiting depend on the network.
    let waits = new.fullText?.state == .waiting && change.contains(.syncStatus)
    guard new != old || waits else { return }
    let html = text.html(context.dates)
    reportEnd(of: new.fullText, after: old.fullText)
    text.open = new
    let isSame = text.html(context.dates) == html
    // Notes and chapters are below the text, so showing them does not move what is being read.
    let isBelow = new.notes != old.notes || new.article.chapters != old.article.chapters
    let isMoved = !isBelow || new.article.ownHTML != old.article.ownHTML
    let isWelcome = !isSame && (view.top == 0 || text.awaitsText || !isMoved)
    if isWelcome { text.awaitsText = false }
    if !isSame, !isWelcome { text.holdsNewText = true }
    self.text = text
    if isWelcome {
      showText()
    } else if !isSame {
      context.note("This article has been updated; \(ShownText.newTextNote(context))")
      updatePage()
    } else if new.article.enclosures == old.article.enclosures {
      updatePage()
    } else {
      showPage()
    }
    context.invalidate()
  }

  private func updatePlaybacks() {
    guard let id = article?.id,
      let new = context.read(try context.store.downloads.playbacks(of: id)),
      new != text?.open.playbacks
    else { return }
    text?.open.playbacks = new
    updatePage()
    context.invalidate()
  }

  /// Shows the current text of the article at the same place.
  func showText() {
    guard let article, let html = text?.readHTML(context.dates) else { return }
    pictures.open(html, of: article.row)
    origins = []
    showPage()
  }

  func showPage() {
    guard let text, let source else { return }
    page.show(text.body, source, width: textWidth, style: setting)
  }

  private var source: ArticlePage.Source? {
    var source = text?.source(context)
    if pictures.missing > 0 {
      let key = text?.hasRetried == true ? nil : context.keymap.label(.pictures)
      source?.missing = PictureWording.missing(pictures.missing, key: key)
    }
    return source
  }

  var setting: TextSetting {
    TextSetting(
      wrapsCode: wrapsCode ?? context.configuration.wrapsCode,
      marksCode: context.theme.style(.code) == context.theme.style(.text), numbers: linkNumbers,
      pictures: pictures.setting(height: view.size.height))
  }

  /// Updates everything around the text.
  private func updatePage() {
    guard let source else { return }
    let position = view.top > 0 ? document?.position(line: view.top) : nil
    page.update(source)
    if let position { view.top = document?.line(position) ?? view.top }
    findAgain()
  }

  package func replaceText(of id: ArticleID, by program: String, _ html: String) {
    guard article?.id == id else { return }
    text?.replacement = (program, html)
    view.top = 0
    goal = nil
    showText()
    context.invalidate()
  }

  private func reportEnd(of new: FullText?, after old: FullText?) {
    guard old?.state == .waiting, let new, new.state != .waiting else { return }
    let words = FullTextActions.wording(context).answer(new, offline: nil)
    if case .failed = new.state { context.show(.failure(words)) } else { context.note(words) }
  }

  // MARK: Keys

  func willPerform(_ command: Command) {
    (view.target, view.firstNewLine) = (nil, nil)
  }

  func binding(for command: Command) -> Binding? {
    article == nil ? nil : bindings.first(for: command)
  }

  private(set) lazy var bindings = Bindings { [unowned self] in
    ArticleCommands(screen: self).bindings
  }

  // MARK: Actions of commands

  func removeReplacement() {
    text?.replacement = nil
    showText()
  }

  func retryPictures() {
    text?.hasRetried = true
    pictures.retry()
  }

  func requestFullText() {
    guard let article else { return }
    text?.awaitsText = true
    FullTextActions.request(article.id, context)
  }

  /// Wraps long lines of code, or scrolls them.
  package func turnCode() {
    let wraps = !setting.wrapsCode
    wrapsCode = wraps
    view.sideways = 0
    showPage()
    let keys = [context.keymap.label(.goOut), context.keymap.label(.goIn)]
    context.note(ReadingWording.code(wraps: wraps, keys: keys.compactMap { $0 }))
  }

  func dismiss() {
    if !hasTypedNeedle { _ = goBack() } else { finder.find("", in: document) }
  }
}

extension ReaderScreen {
  var caption: String? {
    guard !finder.needle.isEmpty else { return nil }
    return (finder.search?.text ?? "/\(finder.needle)") + " · \(finder.wording)"
  }

  /// True if the user has searched in the article, and Esc ends that.
  var hasTypedNeedle: Bool { !finder.needle.isEmpty && finder.search == nil }

  /// Finds the matches again: their lines have other numbers now.
  func findAgain() {
    finder.findAgain(in: document) { [weak self] in self?.showFirstHit() }
    highlights.find(in: document)
    context.invalidate()
  }

  /// Shows the first line with a match at or below a line, else the first of all.
  func showHit(from line: Int) {
    let lines = finder.findings.lines
    guard let hit = lines.first(where: { $0 >= line }) ?? lines.first else { return }
    show(hit)
  }

  func show(_ line: Int) {
    goal = nil
    finder.shownHit = line
    if line < view.top || line >= view.top + shownHeight {
      view.top = min(max(0, line - view.size.height / 3), lastTop)
      view.isPaged = false
    }
    context.invalidate()
  }
}

extension ReaderScreen {
  /// The lines of text in view, without margins and rules; empty while the text is laid out.
  package var spoken: [String]? {
    guard article != nil else { return nil }
    guard let document else { return [] }
    return document.lines.dropFirst(view.top).prefix(shownHeight).compactMap { line in
      let text = String(
        String.UnicodeScalarView(
          line.runs.lazy.flatMap { $0.text.unicodeScalars }.filter {
            !(0x2500...0x259F).contains($0.value)
          }))
      let words = text.replacing("☰", with: ReadingWording.comments).split(separator: " ")
        .joined(separator: " ")
      return words.isEmpty ? nil : words
    }
  }
}

struct ReadingHints {
  let screen: ReaderScreen

  var hints: [Hint] {
    guard screen.article != nil else { return [Hint(.goOut, "back")] }
    if !screen.finder.findings.lines.isEmpty {
      return [
        Hint(.nextUnread, "next match"), Hint(.previousUnread, "previous match"),
      ] + (screen.hasTypedNeedle ? [Hint(.dismiss, "done")] : []) + [
        Hint(.readOn, "read on"), Hint(.back, "back"),
      ]
    }
    var hints = [Hint(.readOn, "read on")]
    if !screen.origins.isEmpty { hints.insert(Hint(.dismiss, "return"), at: 0) }
    if screen.canScrollRight { hints.append(Hint(.goIn, "scroll")) }
    if screen.article?.row.url != nil { hints.append(Hint(.openInBrowser, "browser")) }
    if screen.document?.links.isEmpty == false { hints.append(Hint(.followLink, "links")) }
    if screen.article?.isPlayable == true { hints.append(Hint(.play, "play")) }
    return hints + [Hint(.back, "back"), Hint(.toggleStar, "star"), Hint(.fullText, "full text")]
  }
}
