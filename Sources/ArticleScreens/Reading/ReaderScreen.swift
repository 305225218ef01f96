import ArticleText
package import FeedModel
package import FeedStore
package import ReaderServices
package import TerminalKit
import TerminalViews
import Wording

/// The third pane: one article.
package final class ReaderScreen: Screen {
  let context: ReaderContext
  private(set) var shown: OpenArticle?
  /// The output of a program in place of the article's text.
  private var replacement: (program: String, html: String)?
  private var body = ArticleBody(html: "")
  private var facts = ReadingFacts()
  let page: ArticlePage
  package let pictures: ArticlePictures
  package var article: Article? { shown?.article }
  var document: ArticleDocument? { page.document }
  /// The requested place while it has not been read yet.
  var goal: Goal?
  private var savedPlace: ReadingPosition?
  /// Places that are being written to the cache.
  private var places: [ArticleID: ReadingPosition?] = [:]
  var top = 0
  /// The last line of text in view keeps its place in the next layout, not the first.
  var holdsEnd = false
  package var frame = Size(width: 80, height: 20)
  var column = 0
  let finder: ArticleFinder
  let highlights: ArticleHighlights
  var shownHit = 0
  /// Where links within the article were followed, the latest last: the way back.
  var origins: [ReadingPosition] = []
  /// The line that such a link has led to, until the next key.
  var target: Int?
  /// The first line of a page that was not on the one before, until the next key.
  var firstNewLine: Int?
  /// Link numbers are emphasised while it is open, or a number is typed.
  weak var linkPrompt: LinkListPrompt?
  package var hasTypedNumber = false
  /// Columns by which wide content is scrolled.
  var sideways = 0
  /// The page was reached as a whole, not line by line: it does not end with a heading.
  var isPaged = true
  /// Chosen for this run of the program; `nil` as configured.
  var wrapsCode: Bool?
  /// The text is an older one: the new text arrived unasked, out of view, and waits for a key.
  private var holdsNewText = false
  /// The other text was requested here, and may replace this one.
  private var awaitsText = false
  /// Articles that are being marked read: in the cache they still count as unread.
  package private(set) var beingMarked: Set<ArticleID> = []

  /// A part of a long article that is still being read.
  enum Goal {
    case position(ReadingPosition)
    case end
    case place(Int)
  }

  package init(context: ReaderContext) {
    self.context = context
    page = ArticlePage(context: context)
    pictures = ArticlePictures(context: context)
    finder = ArticleFinder(context: context)
    highlights = ArticleHighlights(context: context)
    page.isReady = { [weak self] in self?.isReady($0) ?? true }
    page.onReplaced = { [weak self] in self?.replaced($0) }
    page.onAdvanced = { [weak self] in self?.advanced() }
  }

  var commandContext: CommandContext { .reader }
  var title: String { article?.row.feedName ?? "" }

  /// The read share, for the rule below; `nil` if everything is in view.
  package var progress: String? {
    guard let document, document.lines.count > frame.height else { return nil }
    guard document.isComplete else { return "…" }
    let seen = min(99, (top + frame.height) * 100 / document.lines.count)
    return top >= lastTop ? "end" : "\(seen) %"
  }

  // MARK: Articles

  /// Shows an article where it was left, and marks it read.
  package func open(_ id: ArticleID) {
    show(id)
    if article?.id == id { markRead() }
  }

  package func show(_ id: ArticleID) {
    guard id != article?.id else { return }
    remember()
    do {
      guard let found = try OpenArticle.load(id, context.store) else {
        return context.note("This article is no longer here")
      }
      shown = found
    } catch {
      return context.report(error)
    }
    guard let shown else { return }
    replacement = nil
    awaitsText = false
    let place = places[id] ?? shown.place
    savedPlace = place
    page.clear()
    finder.find("", in: nil)
    highlights.show(shown.article)
    (top, sideways, isPaged) = (0, 0, true)
    goal = place.map { .position($0) }
    showText()
    context.invalidate()
  }

  package func close() {
    remember()
    shown = nil
    pictures.close()
    page.clear()
    context.invalidate()
  }

  private func markRead() {
    guard let article, !article.row.status.isRead else { return }
    let feed = article.row.feed
    let options = context.read(try context.store.feeds.options(of: feed))
    guard let options, options.effective.markRead != .never else { return }
    let id = article.id
    beingMarked.insert(id)
    context.write(
      { store throws(StoreError) in try await store.states.markOpened(id) },
      then: { [weak self] in self?.beingMarked.remove(id) },
      failed: { [weak self] error in
        self?.beingMarked.remove(id)
        self?.context.report(error)
      })
  }

  /// Saves the reading position.
  package func remember() {
    guard let article, let document else { return }
    let (id, place) = (article.id, top == 0 ? nil : document.position(line: top))
    guard place != savedPlace else { return }
    savedPlace = place
    places[id] = .some(place)
    context.write(isSeen: false) { store throws(StoreError) in
      try await store.states.setReadingPosition(id, place)
    } then: { [weak self] in
      if self?.places[id] == .some(place) { self?.places[id] = nil }
    }
  }

  package func modelUpdated(_ change: StoreChange) {
    if change.contains(.requests) { pictures.modelUpdated() }
    if change.contains(.playback) { updatePlaybacks() }
    guard !change.isDisjoint(with: [.articles, .statuses, .subscriptions, .requests, .syncStatus]),
      let old = shown,
      let new = context.read(try old.updated(change, context.store))
    else { return }
    // The texts about waiting depend on the network.
    let waits = new.fullText?.state == .waiting && change.contains(.syncStatus)
    guard new != old || waits else { return }
    let oldHTML = shownHTML(old)
    // Notes are below the text and move nothing.
    if new.notes != old.notes { awaitsText = true }
    tell(new.fullText, after: old.fullText)
    shown = new
    if shownHTML(new) == oldHTML {
      if new.article.enclosures == old.article.enclosures { updatePage() } else { showPage() }
    } else if top == 0 || awaitsText {
      awaitsText = false
      showText()
    } else {
      holdsNewText = true
      context.note("This article has been updated; \(newTextNote)")
      updatePage()
    }
    context.invalidate()
  }

  private func updatePlaybacks() {
    guard let id = article?.id,
      let new = context.read(try context.store.downloads.playbacks(of: id)),
      new != shown?.playbacks
    else { return }
    shown?.playbacks = new
    updatePage()
    context.invalidate()
  }

  /// Shows the current text of the article at the same place.
  private func showText() {
    guard let shown else { return }
    let article = shown.article
    let html = shownHTML(shown)
    body = ArticleBody(html: html, address: article.row.url, title: article.row.title)
    facts = ReadingFacts(html: html)
    pictures.open(html, of: article.row)
    origins = []
    holdsNewText = false
    showPage()
  }

  func showPage() {
    guard let source = pageSource else { return }
    page.show(body, source, width: textWidth, style: setting)
  }

  var setting: TextSetting {
    let configuration = context.configuration
    return TextSetting(
      isJustified: configuration.isJustified, wrapsCode: wrapsCode ?? configuration.wrapsCode,
      marksCode: context.theme.style(.code) == context.theme.style(.text), numbers: linkNumbers,
      pictures: pictures.setting(height: frame.height))
  }

  /// Updates everything around the text.
  private func updatePage() {
    guard let source = pageSource else { return }
    let position = top > 0 ? document?.position(line: top) : nil
    page.update(source)
    if let position { top = document?.line(position) ?? top }
    findAgain()
  }

  private var pageSource: ArticlePage.Source? {
    guard let shown else { return nil }
    let article = shown.article
    let note =
      replacement.map { "\($0.program); Esc shows the article" }
      ?? (holdsNewText
        ? "updated: \(newTextNote)"
        : FullTextActions.wording(context).note(shown.fullText, isOffline: context.isOffline)
          ?? RuleWording.short(shown.judgements))
    var head = ArticleHead(
      article, facts, note: note, playKey: context.keymap.label(.play), dates: context.dates)
    head.feedName = context.feedName(of: article.row)
    head.alsoIn = shown.copies
    head.played = PlaybackWording.place(shown.playbacks.values.max { $0.at < $1.at })
    head.changesKey = shown.hasChanged ? context.keymap.label(.changes) : nil
    return ArticlePage.Source(
      head: head, enclosures: article.enclosures, fileNotes: fileNotes,
      remedies: article.row.url == nil
        ? ArticleEnd.Remedies()
        : ArticleEnd.Remedies(
          fullText: context.keymap.label(.fullText),
          browser: context.keymap.label(.openInBrowser)))
  }

  private var newTextNote: String {
    context.keymap.label(.showArrivals).map { "\($0) shows it" }
      ?? "you see it when you come back"
  }

  /// The page's text if it is there and wanted, else the feed's.
  private func shownHTML(_ open: OpenArticle) -> String {
    replacement?.html
      ?? PipeOutput.html(
        open.article.shownHTML(with: open.fullText), with: open.notes, context.dates)
  }

  /// Shows the output of a program in place of the article's text.
  package func replaceText(of id: ArticleID, by program: String, _ html: String) {
    guard article?.id == id else { return }
    replacement = (program, html)
    top = 0
    goal = nil
    showText()
    context.invalidate()
  }

  /// Reports the end of an awaited full text.
  private func tell(_ new: FullText?, after old: FullText?) {
    guard old?.state == .waiting, let new, new.state != .waiting else { return }
    let words = FullTextActions.wording(context).answer(new, isOffline: false)
    if case .failed = new.state { context.show(.failure(words)) } else { context.note(words) }
  }

  // MARK: Keys

  func willPerform(_ command: Command) {
    (target, firstNewLine) = (nil, nil)
  }

  func binding(for command: Command) -> Binding? {
    article == nil ? nil : bindings.first(for: command)
  }

  private(set) lazy var bindings = Bindings { [unowned self] in
    let own: [Binding] = [
      Binding(.readOn, when: self.top < self.lastTop || self.isReading) { _ = self.readOn() },
      Binding(.delete) { self.delete() },
      Binding(.filter) { self.askForText() },
      Binding(.wrapCode) { self.turnCode() },
      Binding(.pictures, called: { self.turnPictures($0) }),
      Binding(.scrollRight, unless: self.whyNotSideways) { self.scroll(sideways: $0) },
      Binding(.scrollLeft, unless: self.whyNotSideways) { self.scroll(sideways: -$0) },
      Binding(.nextHit, unless: self.whyNoHit, counted: { self.goToHit($0) }),
      Binding(.previousHit, unless: self.whyNoHit) { self.goToHit(-$0) },
      // After "/", users of vi or less expect the key to go to the next match.
      Binding(.nextUnread, when: self.hasFindings, counted: { self.goToHit($0) }),
      Binding(.previousUnread, when: self.hasFindings) { self.goToHit(-$0) },
      Binding(.dismiss, when: self.replacement != nil) {
        self.replacement = nil
        self.showText()
      },
      Binding(.dismiss, when: !self.finder.needle.isEmpty || !self.origins.isEmpty) {
        self.dismiss()
      },
      Binding(.fullText) { self.turnFullText() },
      Binding(.showArrivals, when: self.holdsNewText) { self.showText() },
      Binding(.toggleRead) { self.toggle(.read) },
      Binding(.toggleStar) { self.toggle(.starred) },
      Binding(
        .tag, choices: { self.article.flatMap { TagChoices.of([$0.id], self.context) } },
        given: { self.setTags($0) }),
    ]
    return own + linkBindings + Binding.movement { self.move($0) }
      + ArticleActions.bindings(context) { self.article?.id }
  }

  private var hasFindings: Bool { !finder.findings.lines.isEmpty }

  private func delete() {
    guard let id = article?.id else { return }
    DeletedArticles.delete(context) { _ throws(StoreError) in [id] }
    context.links.events?.carryOut(.back)
  }

  private func dismiss() {
    if finder.needle.isEmpty { _ = goBack() } else { finder.find("", in: document) }
  }

  private func turnFullText() {
    guard let article else { return }
    awaitsText = true
    FullTextActions.turn(article.id, context)
  }

  private func toggle(_ flag: ArticleFlag) {
    guard let id = article?.id else { return }
    context.write({ store throws(StoreError) in
      try await flag.toggle([id], like: id, store)
    }) { [context] copies in
      if let text = MarkWording.changed(1, copies: copies) { context.note(text) }
    }
  }

  private func setTags(_ text: String) {
    guard let id = article?.id else { return }
    TagChoices.write(text, instead: TagChoices.common([id], context), context) {
      _ throws(StoreError) in [id]
    }
  }
}
