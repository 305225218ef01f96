package import TerminalViews

/// Draws a row of articles: mark and title, and at the right the feed in mixed lists and the age.
/// In a roomy list the title has up to two lines, and the facts are below it.
package struct ArticleRowDrawing {
  let canvas: Canvas
  let context: ReaderContext
  let showsFeed: Bool
  /// True for rows of two or three lines.
  let isRoomy: Bool
  /// True if the list shows reading times instead of ages.
  let prefersMinutes: Bool

  package init(
    canvas: Canvas, context: ReaderContext, showsFeed: Bool = true, isRoomy: Bool = false,
    prefersMinutes: Bool = false
  ) {
    (self.canvas, self.context, self.showsFeed) = (canvas, context, showsFeed)
    (self.isRoomy, self.prefersMinutes) = (isRoomy, prefersMinutes)
  }

  private var dates: DateWording { context.dates }
  /// The first column of the text; column 0 is for the selection, column 1 for the mark.
  static let firstColumn = 3
  /// The columns of a title in a roomy list.
  var titleColumns: Int { max(1, canvas.width - Self.firstColumn - 1) }
  private static let leastTitle = 34
  private static let ageColumns = 6
  private static let feedColumns = 8...24
  /// The least number of minutes that is shown beside a title.
  private static let leastMinutes = 5
  /// The least columns for the first words of a text.
  private static let leastSummary = 20
  private static let gap = 2

  /// - Parameters:
  ///   - title: The title with marked hits; `nil` for the row's title.
  ///   - isPacked: True if the article can be read without a network; `nil` omits the column.
  package func draw(
    _ row: ArticleRow, title: MarkedText? = nil, isPacked: Bool? = nil, isSelected: Bool = false,
    y: Int
  ) {
    drawMark(of: row, y: y)
    let role = isSelected ? .title : role(of: row)
    guard !isRoomy else {
      let line = TextWrapping.lines(row.title, columns: titleColumns)[0]
      return _ = canvas.write(line, x: Self.firstColumn, y: y, role)
    }
    var right = canvas.width - 1
    if canvas.width >= 28 {
      let age = prefersMinutes ? context.readingTime(of: row) ?? "" : dates.age(row.sortDate)
      let columns = GraphemeWidth.width(of: age)
      canvas.write(age, x: right - columns, y: y, .secondary)
      // Ages differ in width, so titles and feeds end where the widest age would begin.
      right -= max(columns, Self.ageColumns) + 1
      if let isPacked {
        if isPacked { canvas.write("◍", x: right - 1, y: y, .secondary) }
        right -= 2
      }
    }
    let least = max(Self.leastTitle, (canvas.width * 3 + 4) / 5)
    let feed = min(right - Self.firstColumn - least - Self.gap, Self.feedColumns.upperBound)
    if showsFeed, feed >= Self.feedColumns.lowerBound {
      let name = context.feedName(of: row, columns: feed)
      right -= feed + Self.gap
      canvas.write(name, x: right + Self.gap, y: y, columns: feed, .secondary)
    }
    let room = max(0, right - Self.firstColumn)
    let minutes = prefersMinutes ? "" : minutes(of: row) ?? ""
    let columns = minutes.isEmpty ? 0 : GraphemeWidth.width(of: minutes) + Self.gap
    let used = canvas.write(
      title ?? MarkedText(row.title), x: Self.firstColumn, y: y,
      columns: min(room, max(least, room - columns)), role)
    if used + columns <= room {
      canvas.write(minutes, x: Self.firstColumn + used + Self.gap, y: y, .secondary)
    }
  }

  private func drawMark(of row: ArticleRow, y: Int) {
    if row.isOutOfLists {
      canvas.write("–", x: 1, y: y, .secondary)
    } else if row.status.isStarred {
      canvas.write("★", x: 1, y: y, .star)
      if row.status.isLater { canvas.write("◆", x: 2, y: y, .accent) }
    } else if row.status.isLater {
      canvas.write("◆", x: 1, y: y, .accent)
    } else if !row.status.isRead {
      canvas.write("●", x: 1, y: y, .accent)
    }
  }

  private func role(of row: ArticleRow) -> Role {
    if row.isOutOfLists { return .secondary }
    return Role.highlight(row.highlight) ?? (row.status.isRead ? .secondary : .unread)
  }

  private func minutes(of row: ArticleRow) -> String? {
    context.store.plan.minutes(ofWords: row.words) < Self.leastMinutes
      ? nil : context.readingTime(of: row)
  }

  /// Draws a line of a roomy row below the first one: the rest of a long title, or the facts and
  /// the first words of the text.
  func draw(
    line: Int, of row: ArticleRow, summary: String, isPacked: Bool, isSelected: Bool, y: Int
  ) {
    let x = Self.firstColumn
    if line == 1, GraphemeWidth.width(of: row.title) > titleColumns {
      let rest = TextWrapping.lines(row.title, columns: titleColumns).dropFirst()
      let role = isSelected ? .title : role(of: row)
      return _ = canvas.write(
        rest.joined(separator: " "), x: x, y: y, columns: titleColumns, role)
    }
    let most = max(Self.feedColumns.lowerBound, titleColumns / 2)
    let feed = showsFeed ? context.feedName(of: row, columns: most).fitted(to: most) : nil
    let facts = [
      isPacked ? "◍" : nil, feed, dates.age(row.sortDate),
      prefersMinutes ? context.readingTime(of: row) : minutes(of: row),
    ]
    let used = canvas.write(
      facts.compactMap(\.self).joined(separator: " \u{B7} "), x: x, y: y, columns: titleColumns,
      .secondary)
    let room = titleColumns - used - Self.gap
    if room >= Self.leastSummary {
      canvas.write(summary, x: x + used + Self.gap, y: y, columns: room, .secondary)
    }
  }

  func period(of row: ArticleRow) -> String {
    dates.heading(period: dates.period(row.sortDate))
  }

  /// Draws a rule with a text, which may be empty.
  func heading(_ text: String, y: Int) {
    canvas.rule(y: y, from: 1, columns: canvas.width - 2)
    guard !text.isEmpty else { return }
    let columns = max(0, canvas.width - 6)
    canvas.write("─ \(text.fitted(to: columns)) ", x: 1, y: y, .secondary)
  }
}

/// Details of rows beside titles: beginnings of texts, and marks of articles that can be read
/// offline.
final class ArticleRowDetails {
  let summaries: ArticleSummaries
  let packs: ArticlePacks
  let length: ListLength
  let end: PageEnd
  private var feedsDiffer = false

  init(context: ReaderContext) {
    summaries = ArticleSummaries(context: context)
    packs = ArticlePacks(context: context)
    length = ListLength(context: context)
    end = PageEnd(context: context)
  }

  /// Returns true if rows of several feeds have been in the window.
  func feedsDiffer(in rows: [ArticleRow]) -> Bool {
    if !feedsDiffer, let first = rows.first {
      feedsDiffer = rows.contains { $0.feed != first.feed }
    }
    return feedsDiffer
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
    if !change.isDisjoint(with: [.articles, .requests, .syncStatus]) { packs.changed() }
    if !change.isDisjoint(with: [.articles, .statuses, .subscriptions]) {
      end.changed()
      length.changed()
    }
  }
}

/// The number of rows of a list, counted in the background.
final class ListLength {
  private let context: ReaderContext
  private var count: Int?
  private var counted: ArticleQuery?
  private var isOutdated = true
  private var loading: TimerToken?

  init(context: ReaderContext) { self.context = context }

  func changed() { isOutdated = true }

  /// Returns the number of rows; `nil` until they were counted.
  func count(of model: ArticleListModel) -> Int? {
    let query = model.query
    guard isOutdated || query != counted else { return count }
    var before = counted
    before?.keeping = query.keeping
    let isSame = before == query
    (counted, isOutdated) = (query, false)
    loading = context.load { store in
      try query.hits?.count ?? store.articles.count(query)
    } then: { [weak self, weak model] found in
      guard let self, found != count else { return }
      if isSame { model?.lengthChanged() }
      count = found
      context.invalidate()
    }
    return count
  }

  /// Returns the place of the selected row; `nil` if it is unknown.
  func position(in model: ArticleListModel) -> String? {
    guard let length = count(of: model), model.selectedRow != nil,
      let above = model.above ?? (model.reachesBottom ? length - model.rows.count : nil)
    else { return nil }
    let (row, last) = (above + model.selected + 1, max(length, above + model.rows.count))
    return "\(AmountWording.grouped(row)) / \(AmountWording.grouped(last))"
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
