import ArticleText
import FeedModel
import FeedStore
import TerminalKit

/// The third pane: one article.
final class ReaderScreen: Screen {
  private let context: ReaderContext
  weak var nextResponder: (any Responder)?
  private(set) var article: Article?
  private var body = ArticleBlocks(html: "")
  private var document: ArticleDocument?
  private var top = 0
  private var frame = Size(width: 80, height: 20)
  private var column = 0
  /// Where articles were left in this run of the program.
  private var positions: [ArticleID: ArticleDocument.Position] = [:]
  /// Articles on their way to be read: in the cache they still count as unread.
  private(set) var beingMarked: Set<ArticleID> = []
  /// More positions than this are forgotten all at once: nobody returns to so many.
  private static let positionLimit = 2_000

  init(context: ReaderContext) { self.context = context }

  var commandContext: CommandContext { .reader }
  var title: String { article?.row.feedName ?? "" }

  var hints: [Hint] {
    guard article != nil else { return [Hint(.goOut, "back"), Hint(.help, "help")] }
    return [
      Hint(.readOn, "read on"), Hint(.openInBrowser, "browser"), Hint(.followLink, "links"),
      Hint(.back, "back"), Hint(.help, "help"),
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
      article = found
      body = ArticleBlocks(html: found.bodyHTML)
      document = nil
      top = 0
      layOut()
      top = positions[id].flatMap { document?.line($0) } ?? 0
    } catch {
      return context.report(error)
    }
    context.invalidate()
    markRead()
  }

  func close() {
    remember()
    article = nil
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
    if positions.count > Self.positionLimit { positions = [:] }
    positions[article.id] = top == 0 ? nil : document.position(line: top)
  }

  func modelUpdated(_ change: StoreChange) {
    guard !change.isDisjoint(with: [.articles, .statuses]), let old = article,
      let new = try? context.store.article(old.id), new != old
    else { return }
    let position = document?.position(line: top)
    article = new
    if new.bodyHTML != old.bodyHTML { body = ArticleBlocks(html: new.bodyHTML) }
    document = nil
    layOut()
    top = position.flatMap { document?.line($0) } ?? 0
    context.invalidate()
  }

  // MARK: Keys

  func respond(to event: InterfaceEvent) -> Bool {
    if ArticlePrograms.respond(to: event, article: article?.id, context) { return true }
    guard case .command(let command, let count) = event, let article else { return false }
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

  private func askForLink() {
    guard let links = document?.links, !links.isEmpty else {
      return context.note("This article has no links")
    }
    if links.count == 1 {
      send(.follow(links[0]))
      return
    }
    send(
      .ask(
        LinkPrompt(count: links.count, context: context) { [weak self] index in
          self?.send(.endPrompt)
          if let index, links.indices.contains(index) { self?.send(.follow(links[index])) }
        }))
  }

  // MARK: Scrolling

  /// A page less two lines, so that the eye finds its place again.
  private var pageStep: Int { max(1, frame.height - 2) }
  private var lastTop: Int { max(0, (document?.lines.count ?? 0) - frame.height) }

  private func scroll(by lines: Int) {
    top = min(max(0, top + lines), lastTop)
    context.invalidate()
  }

  private func layOut() {
    guard let article else { return }
    let margin = frame.width >= 60 ? 2 : 1
    let width = max(1, min(context.configuration.textWidth, frame.width - 2 * margin))
    if document?.width != width {
      let position = document?.position(line: top)
      let new = ArticleDocument(article, body: body, width: width, dates: context.dates)
      document = new
      if let position, top > 0 { top = new.line(position) }
    }
    column = max(0, (frame.width - width) / 2)
    top = min(top, lastTop)
  }

  // MARK: Drawing

  func mouse(_ action: MouseEvent.Action, x: Int, y: Int) -> Bool {
    switch action {
    case .wheelUp: scroll(by: -context.configuration.wheelRows)
    case .wheelDown: scroll(by: context.configuration.wheelRows)
    case .press:
      guard let link = link(x: x, y: y) else { return false }
      send(.follow(link))
    default: return false
    }
    return true
  }

  private func link(x: Int, y: Int) -> String? {
    guard let document, document.lines.indices.contains(top + y) else { return nil }
    var start = column
    for run in document.lines[top + y] {
      let end = start + GraphemeWidth.width(of: run.text)
      if x >= start, x < end { return run.link.map { document.links[$0] } }
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
      for run in document.lines[top + y] {
        let link = run.link.map { document.links[$0] }
        x += canvas.write(run.text, x: x, y: y, style: canvas.theme.style(run.roles), link: link)
      }
    }
  }
}
