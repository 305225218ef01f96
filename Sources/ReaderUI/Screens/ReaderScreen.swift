import ArticleText
import FeedModel
import FeedStore
import TerminalKit

/// The third pane: one article.
final class ReaderScreen: Screen {
  private let context: ReaderContext
  weak var nextResponder: (any Responder)?
  private(set) var article: Article?
  private var fullText: FullText?
  /// The files of the article that were asked for.
  private var downloads: [Download] = []
  private var body = ArticleBlocks(html: "")
  private var document: ArticleDocument?
  /// As the cache has it.
  private var savedPlace: ReadingPosition?
  /// Places on their way to the cache.
  private var places: [ArticleID: ReadingPosition?] = [:]
  private var top = 0
  private var frame = Size(width: 80, height: 20)
  private var column = 0
  /// What is looked for in the article, and where it is.
  private var needle = ""
  private var findings = FindableText.Findings()
  /// The line that was gone to last.
  private var shownHit = 0
  /// Where links within the article were followed, the last one last: the way back.
  private var origins: [ReadingPosition] = []
  /// The line that such a link has led to, until the next key.
  private var target: Int?
  /// While it asks, links within the article show their numbers.
  private weak var linkPrompt: LinkPrompt?
  /// What is shown is an older text: the new one came unasked, below the eyes, and waits for a key.
  private var holdsNewText = false
  /// The other text was asked for here, and may take the place of this one.
  private var awaitsText = false
  /// Articles on their way to be read: in the cache they still count as unread.
  private(set) var beingMarked: Set<ArticleID> = []

  init(context: ReaderContext) { self.context = context }

  var commandContext: CommandContext { .reader }
  var title: String { article?.row.feedName ?? "" }

  var hints: [Hint] {
    guard article != nil else { return [Hint(.goOut, "back"), Hint(.help, "help")] }
    if !findings.lines.isEmpty {
      return [
        Hint(.nextUnread, "next place"), Hint(.previousUnread, "previous place"),
        Hint(.dismiss, "done"), Hint(.readOn, "read on"), Hint(.back, "back"), Hint(.help, "help"),
      ]
    }
    var hints = [
      Hint(.readOn, "read on"), Hint(.openInBrowser, "browser"), Hint(.followLink, "links"),
      Hint(.back, "back"), Hint(.help, "help"),
    ]
    if !origins.isEmpty { hints.insert(Hint(.dismiss, "return"), at: 0) }
    if article?.enclosures.isEmpty == false { hints.append(Hint(.download, "download")) }
    return hints + [
      Hint(.toggleStar, "star"), Hint(.fullText, "full text"), Hint(.filter, "find"),
      Hint(.zoom, "zoom"), Hint(.palette, "commands"),
    ]
  }

  /// How much has been read, for the rule below; nil where everything is in view.
  var progress: String? {
    guard let document, document.lines.count > frame.height else { return nil }
    let seen = min(99, (top + frame.height) * 100 / document.lines.count)
    return top >= lastTop ? "end" : "\(seen) %"
  }

  // MARK: Articles

  /// Shows an article where it was left last; marks it read once it is on the screen.
  func open(_ id: ArticleID) {
    guard id != article?.id else { return markRead() }
    remember()
    do {
      guard let found = try context.store.article(id) else {
        return context.note("This article is no longer there")
      }
      // All of it, or the article that is open stays.
      let foundText = try context.store.fullText(id)
      let foundFiles = try context.store.downloads(of: id)
      let stored = try context.store.readingPosition(id)
      (article, fullText, downloads) = (found, foundText, foundFiles)
      awaitsText = false
      top = 0
      needle = ""
      showText()
      let place = places[id] ?? stored
      savedPlace = place
      top = place.flatMap { document?.line($0) } ?? 0
    } catch {
      return context.report(error)
    }
    context.invalidate()
    markRead()
  }

  func close() {
    remember()
    article = nil
    fullText = nil
    downloads = []
    document = nil
    context.invalidate()
  }

  private func markRead() {
    guard let article, !article.row.status.isRead else { return }
    let id = article.id
    beingMarked.insert(id)
    context.write(
      { store throws(StoreError) in try await store.setRead([id], true) },
      then: { [weak self] in self?.beingMarked.remove(id) },
      failed: { [weak self] error in
        self?.beingMarked.remove(id)
        self?.context.report(error)
      })
  }

  private func remember() {
    guard let article, let document else { return }
    let (id, place) = (article.id, top == 0 ? nil : document.position(line: top))
    guard place != savedPlace else { return }
    savedPlace = place
    places[id] = .some(place)
    context.write(isSeen: false) { store throws(StoreError) in
      try await store.setReadingPosition(id, place)
    } then: { [weak self] in
      if self?.places[id] == .some(place) { self?.places[id] = nil }
    }
  }

  /// The program ends: where the reading stopped is kept.
  func leave() { remember() }

  func modelUpdated(_ change: StoreChange) {
    guard !change.isDisjoint(with: [.articles, .statuses, .subscriptions, .requests, .syncStatus]),
      let old = article, let new = try? context.store.article(old.id)
    else { return }
    let newText = (try? context.store.fullText(old.id)) ?? fullText
    let newDownloads = (try? context.store.downloads(of: old.id)) ?? downloads
    // What is waited for depends on the line.
    let waits = newText?.state == .waiting && change.contains(.syncStatus)
    guard new != old || newText != fullText || newDownloads != downloads || waits else { return }
    let oldHTML = shownHTML(old)
    tell(newText, after: fullText)
    (article, fullText, downloads) = (new, newText, newDownloads)
    if shownHTML(new) == oldHTML {
      keepingPlace { layOut() }
    } else if top == 0 || awaitsText {
      awaitsText = false
      keepingPlace { showText() }
    } else {
      holdsNewText = true
      context.note("The text of this article is another now; \(newTextNote)")
      keepingPlace { layOut() }
    }
  }

  /// Shows what the article says now.
  private func showText() {
    guard let article else { return }
    body = blocks(article)
    origins = []
    holdsNewText = false
    document = nil
    layOut()
  }

  private func keepingPlace(_ change: () -> Void) {
    let position = document?.position(line: top)
    document = nil
    change()
    top = position.flatMap { document?.line($0) } ?? 0
    context.invalidate()
  }

  private var newTextNote: String {
    context.keymap.label(.showArrivals).map { "\($0) shows it" }
      ?? "it is shown when you come again"
  }

  /// What the page says where it is there and wanted, else what the feed says.
  private func shownHTML(_ article: Article) -> String { article.shownHTML(with: fullText) }

  private func blocks(_ article: Article) -> ArticleBlocks {
    ArticleBlocks(html: shownHTML(article), address: article.row.url)
  }

  /// What became of a full text that was waited for.
  private func tell(_ new: FullText?, after old: FullText?) {
    guard old?.state == .waiting, let new, new.state != .waiting else { return }
    let words = FullTextActions.wording(context).answer(new, isOffline: false)
    if case .failed = new.state { context.show(.failure(words)) } else { context.note(words) }
  }

  // MARK: Keys

  func respond(to event: InterfaceEvent) -> Bool {
    if ArticlePrograms.respond(to: event, article: article?.id, context) { return true }
    if case .given(.tag, let text) = event, let id = article?.id {
      TagChoices.write(text, instead: TagChoices.common([id], context), context) {
        _ throws(StoreError) in [id]
      }
      return true
    }
    guard case .command(let command, let count) = event, let article else { return false }
    if target != nil {
      target = nil
      context.invalidate()
    }
    let repetitions = count ?? 1
    switch command {
    case .moveDown: scroll(by: repetitions)
    case .moveUp: scroll(by: -repetitions)
    case .halfPageDown: scroll(by: repetitions * max(1, frame.height / 2))
    case .halfPageUp: scroll(by: -repetitions * max(1, frame.height / 2))
    case .pageDown: scroll(by: repetitions * pageStep)
    case .pageUp: scroll(by: -repetitions * pageStep)
    case .top: top = 0
    case .bottom: top = lastTop
    case .readOn:
      guard top < lastTop else { return false }
      scroll(by: pageStep)
    case .openInBrowser, .copyAddress:
      guard let url = article.row.url ?? article.externalURL else {
        context.note("This article has no address")
        return true
      }
      if command == .copyAddress {
        AddressActions.copy(url, context)
      } else {
        send(.follow(url))
      }
    case .followLink: askForLink()
    case .deleteArticles:
      let id = article.id
      DeletedArticles.delete(context) { _ throws(StoreError) in [id] }
      send(.command(.back, count: nil))
    case .filter: askForText()
    case .nextHit: goToHit(repetitions)
    case .previousHit: goToHit(-repetitions)
    // After "/" fingers that know vi or less look for more of the same.
    case .nextUnread where !findings.lines.isEmpty: goToHit(repetitions)
    case .previousUnread where !findings.lines.isEmpty: goToHit(-repetitions)
    case .dismiss:
      if needle.isEmpty { return goBack() }
      find("")
    case .fullText:
      awaitsText = true
      FullTextActions.turn(article.id, context)
    case .showArrivals where holdsNewText: keepingPlace { showText() }
    case .download: DownloadActions.ask(article.id, context)
    case .toggleRead:
      let id = article.id
      context.write { store throws(StoreError) in
        guard let row = try store.article(id)?.row else { return }
        try await store.setRead([id], !row.status.isRead)
      }
    case .toggleStar:
      let id = article.id
      context.write { store throws(StoreError) in
        guard let row = try store.article(id)?.row else { return }
        try await store.setStarred([id], !row.status.isStarred)
      }
    default: return false
    }
    context.invalidate()
    return true
  }

  func choices(for command: Command) -> ArgumentChoices? {
    command == .tag ? TagChoices.of(article.map { [$0.id] } ?? [], context) : nil
  }

  // MARK: Links

  private func askForLink() {
    guard let targets = document?.targets, !targets.isEmpty else {
      return context.note("This article has no links")
    }
    if targets.count == 1 { return follow(targets[0]) }
    let prompt = LinkPrompt(count: targets.count, context: context) { [weak self] index in
      self?.send(.endPrompt)
      if let index, targets.indices.contains(index) { self?.follow(targets[index]) }
    }
    linkPrompt = prompt
    send(.ask(prompt))
  }

  private func follow(_ link: LinkTarget) {
    guard let document else { return }
    switch link {
    case .address:
      if let address = document.address(of: link) { send(.follow(address)) }
    case .place(let index):
      if document.places.indices.contains(index) { goTo(place: document.places[index]) }
    }
  }

  /// Shows a line that a link within the article leads to. One that leads to where the last was
  /// followed (the arrow behind a footnote) is the way back.
  private func goTo(place line: Int) {
    guard let document else { return }
    let before = top
    let origin = origins.last.map { document.line($0) }
    if let origin, origin <= line, line < origin + frame.height {
      _ = goBack()
    } else {
      top = min(line, lastTop)
      if top != before { origins.append(document.position(line: before)) }
    }
    target = line
    context.invalidate()
  }

  /// Goes back to where the last link within the article was followed. False where none was.
  private func goBack() -> Bool {
    guard let document, let origin = origins.popLast() else { return false }
    top = min(document.line(origin), lastTop)
    context.invalidate()
    return true
  }

  // MARK: Finding

  var caption: String? {
    guard !needle.isEmpty else { return nil }
    return "/\(needle) · \(AmountWording.count(findings.lines.count, "line", "lines"))"
  }

  private func askForText() {
    // Lines have other numbers once the window has another size.
    let position = top == 0 ? nil : document?.position(line: top)
    let before = { [weak self] in position.flatMap { self?.document?.line($0) } ?? 0 }
    send(
      .ask(
        FilterPrompt(
          label: "/", text: needle, context: context,
          changed: { [weak self] text in
            self?.find(text)
            self?.goToHit(from: before())
          },
          ended: { [weak self] keeps in
            if !keeps {
              self?.find("")
              self?.top = before()
            }
            self?.send(.endPrompt)
          })))
  }

  private func find(_ text: String) {
    needle = text
    findings = document?.find(text) ?? FindableText.Findings()
    context.invalidate()
  }

  /// Shows the first line that holds the text at or below a line, else the first of all.
  private func goToHit(from line: Int) {
    let lines = findings.lines
    guard let hit = lines.first(where: { $0 >= line }) ?? lines.first else { return }
    show(hit)
  }

  private func goToHit(_ steps: Int) {
    let lines = findings.lines
    guard !lines.isEmpty else {
      return context.note(
        needle.isEmpty ? "Nothing is looked for" : "\(needle) is not in this article")
    }
    // Counted from the line that the last step has shown.
    let current = lines.lastIndex { $0 <= shownHit } ?? (steps > 0 ? -1 : 0)
    let next = ((current + steps) % lines.count + lines.count) % lines.count
    show(lines[next])
  }

  private func show(_ line: Int) {
    shownHit = line
    if line < top || line >= top + frame.height {
      top = min(max(0, line - frame.height / 3), lastTop)
    }
    context.invalidate()
  }

  // MARK: Scrolling

  /// A page less two lines, so that the eye finds its place again.
  private var pageStep: Int { max(1, frame.height - 2) }
  private var lastTop: Int { max(0, (document?.lines.count ?? 0) - frame.height) }

  private func scroll(by lines: Int) {
    top = min(max(0, top + lines), lastTop)
    target = nil
    context.invalidate()
  }

  private func layOut() {
    guard let article else { return }
    let margin = frame.width >= 60 ? 2 : 1
    let width = max(1, min(context.configuration.textWidth, frame.width - 2 * margin))
    let isJustified = context.configuration.isJustified
    if document?.width != width || document?.isJustified != isJustified {
      let position = document?.position(line: top)
      let note =
        holdsNewText
        ? "a new text: \(newTextNote)"
        : FullTextActions.wording(context).note(fullText, isOffline: context.isOffline)
      var new = ArticleDocument(
        article, body: body, note: note, files: fileNotes, width: width, isJustified: isJustified,
        dates: context.dates)
      findings = new.find(needle)
      if let document { shownHit = new.line(document.position(line: shownHit)) }
      document = new
      target = nil
      if let position, top > 0 { top = new.line(position) }
    }
    column = max(0, (frame.width - width) / 2)
    top = min(top, lastTop)
  }

  /// By address: what became of a file.
  private var fileNotes: [String: String] {
    let wording = DownloadActions.wording(context)
    return Dictionary(downloads.map { ($0.url, wording.note($0)) }) { first, _ in first }
  }

  // MARK: Drawing

  func mouse(_ action: MouseEvent.Action, x: Int, y: Int) -> Bool {
    switch action {
    case .wheelUp: scroll(by: -context.configuration.wheelRows)
    case .wheelDown: scroll(by: context.configuration.wheelRows)
    case .press:
      guard let link = link(x: x, y: y) else { return false }
      follow(link)
    default: return false
    }
    return true
  }

  private func link(x: Int, y: Int) -> LinkTarget? {
    guard let document, document.lines.indices.contains(top + y) else { return nil }
    var start = column
    for run in document.lines[top + y] {
      let end = start + GraphemeWidth.width(of: run.text)
      if x >= start, x < end { return run.link }
      start = end
    }
    return nil
  }

  func draw(on canvas: Canvas, isFocused: Bool) {
    frame = Size(width: canvas.width, height: canvas.height)
    guard article != nil else {
      let key = context.keymap.label(.open) ?? ""
      canvas.write(
        "\(key) opens an article here.", x: 2, y: 0, columns: canvas.width - 3, .secondary)
      return
    }
    layOut()
    guard let document else { return }
    for y in 0..<min(canvas.height, document.lines.count - top) {
      var x = column
      for run in document.runs(top + y, marking: findings) {
        x += canvas.write(
          run.text, x: x, y: y, style: canvas.theme.style(run.roles),
          link: document.address(of: run.link))
      }
      if linkPrompt != nil { drawNumbers(document, y, on: canvas) }
      if target == top + y { canvas.mark(row: y) }
    }
  }

  /// Links within the article have no number in the text: while one is asked for it lies over them.
  private func drawNumbers(_ document: ArticleDocument, _ y: Int, on canvas: Canvas) {
    var x = column
    var last: LinkTarget?
    for run in document.lines[top + y] {
      if let link = run.link, case .place = link, link != last {
        canvas.write(String(document.number(of: link)), x: x, y: y, .found)
      }
      last = run.link
      x += GraphemeWidth.width(of: run.text)
    }
  }
}
