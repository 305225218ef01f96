import TerminalViews

/// A selection of several articles: ranges of a list, and single rows that were toggled.
struct SeveralArticles: Equatable {
  struct Stretch: Equatable {
    var from: ArticleKey
    var through: ArticleKey
  }
  /// The beginning of the open range, which ends at the selected row.
  var anchor: ArticleKey?
  var ranges: [Stretch] = []
  var toggled: Set<ArticleID> = []

  /// Both ends of each range.
  var keys: [ArticleKey] { ranges.flatMap { [$0.from, $0.through] } + [anchor].compactMap(\.self) }
}

/// The selected part of a list, whose articles are read only for a write.
nonisolated struct ArticleSelection: Sendable {
  fileprivate var query: ArticleQuery
  fileprivate var ranges: [(from: ArticleKey, through: ArticleKey)]
  fileprivate var toggled: Set<ArticleID>

  func ids(_ store: ReaderCache) throws(StoreError) -> [ArticleID] {
    var ids: [ArticleID] = []
    var known: Set<ArticleID> = []
    for range in ranges {
      for id in try store.articles.articleIDs(query, from: range.from, through: range.through)
      where known.insert(id).inserted { ids.append(id) }
    }
    return ids.filter { !toggled.contains($0) } + toggled.subtracting(known).sorted()
  }
}

extension ArticleListModel {
  /// Begins a range at the selected row, or ends the open range. If the open range is the whole
  /// selection, removes the selection.
  func toggleRange() {
    guard let key = selectedRow?.key else { return }
    guard var several else {
      self.several = SeveralArticles(anchor: key)
      return
    }
    let isOnlyRange = several.ranges.isEmpty && several.toggled.isEmpty
    if several.anchor == nil {
      several.anchor = key
    } else if !isOnlyRange {
      close(&several)
    }
    self.several = isOnlyRange ? nil : several
  }

  /// Toggles the row in the selection, or ends the open range with it, and moves to the next row.
  func toggleSelected() {
    guard let key = selectedRow?.key, var several else { return }
    if several.anchor != nil {
      close(&several)
    } else if several.toggled.remove(key.id) == nil {
      several.toggled.insert(key.id)
    }
    self.several = several
    move(.rows(1))
  }

  private func close(_ several: inout SeveralArticles) {
    guard let anchor = several.anchor, let key = selectedRow?.key else { return }
    several.ranges.append(.init(from: anchor, through: key))
    several.anchor = nil
  }

  /// The selected article or articles; `nil` if the list is empty.
  var selection: ArticleSelection? {
    guard let key = selectedRow?.key else { return nil }
    guard let several else {
      return ArticleSelection(query: query, ranges: [(key, key)], toggled: [])
    }
    let ranges = (several.ranges + openRange).map { (from: $0.from, through: $0.through) }
    return ArticleSelection(query: query, ranges: ranges, toggled: several.toggled)
  }

  private var openRange: [SeveralArticles.Stretch] {
    guard let anchor = several?.anchor, let key = selectedRow?.key else { return [] }
    return [.init(from: anchor, through: key)]
  }

  /// Rows of the window that are in a multiple selection; empty if there is none.
  var selectedRows: Set<Int> {
    guard let several else { return [] }
    var found = (several.ranges + openRange).reduce(into: Set<Int>()) {
      $0.formUnion(places(of: $1))
    }
    for (index, row) in rows.enumerated() where several.toggled.contains(row.id) {
      found.formSymmetricDifference([index])
    }
    return found
  }

  /// The number of selected articles in the window; `isAll` is false if there may be more.
  var selectedCount: (count: Int, isAll: Bool) {
    let isAll = several?.keys.allSatisfy { key in rows.contains { $0.key == key } } ?? true
    return (selectedRows.count, isAll)
  }

  /// Returns the rows of a range, without its ends if their articles no longer exist.
  private func places(of range: SeveralArticles.Stretch) -> Range<Int> {
    let isForward = !query.comesBefore(range.through, range.from)
    let (from, through) = isForward ? (range.from, range.through) : (range.through, range.from)
    let start = rows.firstIndex { !query.comesBefore($0.key, from) } ?? rows.count
    let end = rows.firstIndex { query.comesBefore(through, $0.key) } ?? rows.count
    return start..<max(start, end)
  }
}
