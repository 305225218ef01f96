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
  package func open(_ id: ArticleID) {
    show(id)
    if let article, article.id == id { record.markRead(article) }
  }

  package func show(_ id: ArticleID) {
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
    context.invalidate()
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
    // Notes are below the text, so showing them does not move what is being read.
    if new.notes != old.notes { text.awaitsText = true }
    reportEnd(of: new.fullText, after: old.fullText)
    text.open = new
    let isSame = text.html(context.dates) == html
    let isWelcome = !isSame && (view.top == 0 || text.awaitsText)
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
    guard let text else { return }
    page.show(text.body, text.source(context), width: textWidth, style: setting)
  }

  var setting: TextSetting {
    TextSetting(
      wrapsCode: wrapsCode ?? context.configuration.wrapsCode,
      marksCode: context.theme.style(.code) == context.theme.style(.text), numbers: linkNumbers,
      pictures: pictures.setting(height: view.size.height))
  }

  /// Updates everything around the text.
  private func updatePage() {
    guard let text else { return }
    let position = view.top > 0 ? document?.position(line: view.top) : nil
    page.update(text.source(context))
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

  /// Switches between the text of the feed and the full text.
  func turnFullText() {
    guard let article else { return }
    text?.awaitsText = true
    FullTextActions.turn(article.id, context)
  }

  func dismiss() {
    if finder.needle.isEmpty { _ = goBack() } else { finder.find("", in: document) }
  }
}

extension ReaderScreen {
  var caption: String? {
    finder.needle.isEmpty ? nil : "/\(finder.needle) · \(finder.wording)"
  }

  /// Finds the matches again: their lines have other numbers now.
  func findAgain() {
    finder.findAgain(in: document)
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
      let words = text.split(separator: " ").joined(separator: " ")
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
        Hint(.dismiss, "done"), Hint(.readOn, "read on"), Hint(.back, "back"),
      ]
    }
    let hasPage = screen.article?.row.url != nil
    var hints = [Hint(.readOn, "read on")]
    if hasPage { hints.append(Hint(.openInBrowser, "browser")) }
    if screen.document?.links.isEmpty == false { hints.append(Hint(.followLink, "links")) }
    hints.append(Hint(.back, "back"))
    if !screen.origins.isEmpty { hints.insert(Hint(.dismiss, "return"), at: 0) }
    if screen.whyNotSideways == nil { hints.insert(Hint(.scrollRight, "scroll"), at: 1) }
    if !screen.pictures.references.isEmpty { hints.append(Hint(.pictures, "pictures")) }
    if screen.article?.isPlayable == true { hints.append(Hint(.play, "play")) }
    if screen.article?.enclosures.isEmpty == false { hints.append(Hint(.download, "download")) }
    hints.append(Hint(.toggleStar, "star"))
    if hasPage { hints.append(Hint(.fullText, "full text")) }
    return hints + [
      Hint(.toggleLater, "later"), Hint(.filter, "find"), Hint(.zoom, "zoom"),
      Hint(.palette, "commands"),
    ]
  }
}
