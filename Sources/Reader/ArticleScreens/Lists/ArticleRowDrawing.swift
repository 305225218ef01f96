package import TerminalViews

/// Draws a row of articles: mark, title, reading time, feed in mixed lists, and age at the right.
package struct ArticleRowDrawing {
  let canvas: Canvas
  let context: ReaderContext
  let showsFeed: Bool
  /// True for rows of two lines.
  var isRoomy = false
  /// True if a list without room for both shows reading times instead of ages.
  var prefersMinutes = false

  private var dates: DateWording { context.dates }
  /// The first column of the text; column 0 is for the selection, column 1 for the mark.
  static let firstColumn = 3
  private var ageColumns: Int { canvas.width < Self.roomy ? 8 : 11 }
  /// The minimum width of a list that shows ages and names of feeds in full.
  private static let roomy = 60
  /// The minimum widths of a list of several feeds and of one feed with reading times beside the
  /// titles.
  private static let leastForMinutes = (mixed: 81, single: 60)
  /// The minimum width of a list that shows names of feeds.
  private static let narrowest = 34

  /// - Parameters:
  ///   - title: The title with marked hits; `nil` for the row's title.
  ///   - isPacked: True if the article can be read without a network; `nil` omits the column.
  package func draw(_ row: ArticleRow, title: MarkedText? = nil, isPacked: Bool? = nil, y: Int) {
    let width = canvas.width
    let isUnread = !row.status.isRead
    if row.isOutOfLists {
      canvas.write("–", x: 1, y: y, .secondary)
    } else if row.status.isStarred {
      canvas.write("★", x: 1, y: y, .star)
      if row.status.isLater { canvas.write("◆", x: 2, y: y, .accent) }
    } else if row.status.isLater {
      canvas.write("◆", x: 1, y: y, .accent)
    } else if isUnread {
      canvas.write("●", x: 1, y: y, .accent)
    }
    var right = width - 1
    if width >= 28 {
      let age =
        prefersMinutes && !isRoomy && !showsMinutes
        ? context.readingTime(of: row) ?? "" : dates.age(row.sortDate, isShort: width < Self.roomy)
      right -= GraphemeWidth.width(of: age)
      canvas.write(age, x: right, y: y, .secondary)
      // Ages differ in width, so titles and feeds end where the widest age would begin.
      right = min(right - 1, width - 1 - ageColumns)
      if let isPacked {
        if isPacked { canvas.write("◍", x: right - 1, y: y, .secondary) }
        right -= 2
      }
    }
    if showsFeed, width >= Self.narrowest {
      let isRoomy = width >= Self.roomy
      let columns = isRoomy ? min(24, width / 4) : width / 5 + 1
      canvas.write(
        context.feedName(of: row, columns: columns), x: right - columns, y: y, columns: columns,
        .secondary)
      right -= columns + (isRoomy ? 2 : 1)
    }
    if showsMinutes, !showsFeed { right -= 1 }
    if showsMinutes, let minutes = context.readingTime(of: row) {
      let columns = GraphemeWidth.width(of: minutes)
      canvas.write(minutes, x: right - columns, y: y, .secondary)
      // Titles end where usual times would begin.
      right -= max(8, columns + 1)
    } else if showsMinutes {
      right -= 8
    }
    canvas.write(
      title ?? MarkedText(row.title), x: Self.firstColumn, y: y,
      columns: max(0, right - Self.firstColumn),
      role(of: row))
  }

  /// True if there is room for reading times beside the titles, and they are not below them.
  private var showsMinutes: Bool {
    let least = Self.leastForMinutes
    return !isRoomy && canvas.width >= (showsFeed ? least.mixed : least.single)
  }

  private func role(of row: ArticleRow) -> Role {
    if row.isOutOfLists { return .secondary }
    return Role.highlight(row.highlight) ?? (row.status.isRead ? .text : .unread)
  }

  /// Draws the second line of a row: the first words of the text, and the time to read it.
  func draw(summary: String, of row: ArticleRow, y: Int) {
    var right = canvas.width - 1
    if right >= Self.narrowest, let minutes = context.readingTime(of: row) {
      right -= GraphemeWidth.width(of: minutes)
      canvas.write(minutes, x: right, y: y, .secondary)
      right -= 2
    }
    canvas.write(
      summary, x: Self.firstColumn, y: y, columns: max(0, right - Self.firstColumn), .secondary)
  }

  func period(of row: ArticleRow) -> String {
    dates.heading(period: dates.period(row.sortDate))
  }

  func heading(_ text: String, y: Int) {
    let columns = max(0, canvas.width - 6)
    let used = canvas.write("─ \(text.fitted(to: columns)) ", x: 1, y: y, .secondary)
    canvas.rule(y: y, from: 1 + used, columns: canvas.width - 2 - used)
  }
}

extension ArticleRowDrawing {
  /// Draws rows of a list of several feeds.
  package init(canvas: Canvas, context: ReaderContext) {
    self.init(canvas: canvas, context: context, showsFeed: true)
  }
}

/// Details of rows beside titles: beginnings of texts, and marks of articles that can be read
/// offline.
final class ArticleRowDetails {
  let summaries: ArticleSummaries
  let packs: ArticlePacks
  let end: PageEnd

  init(context: ReaderContext) {
    summaries = ArticleSummaries(context: context)
    packs = ArticlePacks(context: context)
    end = PageEnd(context: context)
  }

  /// Reads what the whole list needs, in the background.
  func read(for model: ArticleListModel) {
    packs.read(model.query)
    if model.headings.hasEnd { end.read() }
  }

  func modelUpdated(_ change: StoreChange) {
    if !change.isDisjoint(with: [.articles, .subscriptions]) {
      summaries.forget()
    }
    if !change.isDisjoint(with: [.articles, .requests]) { packs.changed() }
    if !change.isDisjoint(with: [.articles, .statuses, .subscriptions]) { end.changed() }
  }
}

/// The first words of the visible articles, read in the background.
final class ArticleSummaries {
  private let context: ReaderContext
  private var texts: [ArticleID: String] = [:]
  /// Articles whose summaries were requested, even if none was found.
  private var known: Set<ArticleID> = []
  private var loading: TimerToken?
  private static let mostKept = 2_000

  init(context: ReaderContext) { self.context = context }

  /// Returns the summary in one line, without the title if the summary begins with it.
  func text(of row: ArticleRow) -> String {
    let text = texts[row.id] ?? ""
    guard text.hasPrefix(row.title) else { return text }
    return String(text.dropFirst(row.title.count)).trimmingWhitespace
  }

  /// Reads the missing summaries of these articles.
  func read(_ ids: [ArticleID]) {
    let missing = ids.filter { !known.contains($0) }
    guard loading == nil, !missing.isEmpty else { return }
    loading = context.load { store in
      try store.articles.summaries(of: missing)
    } then: { [weak self] found in
      guard let self else { return }
      if known.count > Self.mostKept { (known, texts) = ([], [:]) }
      loading = nil
      known.formUnion(missing)
      texts.merge(found) { $1 }
      context.invalidate()
    } failed: { [weak self] in
      self?.known.formUnion(missing)
      self?.loading = nil
    }
  }

  /// Marks all summaries as outdated; they are shown until they are read again.
  func forget() { known = [] }
}
