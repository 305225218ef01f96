/// The sort key of a row, as stored.
package struct ListKey: Hashable, Comparable {
  package var sortDate: Int64
  package var id: Int64
  package static func < (a: ListKey, b: ListKey) -> Bool {
    a.sortDate != b.sortDate ? a.sortDate < b.sortDate : a.id < b.id
  }
  package init(sortDate: Int64, id: Int64) { (self.sortDate, self.id) = (sortDate, id) }
  package init(_ key: ArticleKey) {
    self.init(sortDate: key.sortDate.milliseconds, id: key.id.rawValue)
  }
}

/// The result of a search in a list, or the list itself in another order: a value that does not
/// change while articles arrive. Reading a page checks whether its articles still exist and pass
/// the list's filter.
public struct SearchHits: Sendable, Hashable {
  package final class Content: Sendable {
    package let keys: [ListKey]
    package let isRanked: Bool
    /// Position of each key, if the order is not by date.
    private let places: [ListKey: Int]

    package init(keys: [ListKey], isRanked: Bool) {
      self.keys = keys
      self.isRanked = isRanked
      places = Dictionary(first: isRanked ? zip(keys, 0...).map { ($0, $1) } : [])
    }
  }

  package let content: Content
  let showsSnoozed: Bool
  /// The article before which the search stopped: older ones may match too. `nil` if all articles
  /// were examined.
  public let continuesBefore: ArticleID?
  /// True for all articles of a list in another order, without a search.
  public let isWholeList: Bool

  package init(
    keys: [ListKey], isRanked: Bool = false, continuesBefore: Int64? = nil,
    isWholeList: Bool = false, showsSnoozed: Bool = false
  ) {
    self.showsSnoozed = showsSnoozed
    content = Content(keys: keys, isRanked: isRanked)
    self.continuesBefore = continuesBefore.map(ArticleID.init(rawValue:))
    self.isWholeList = isWholeList
  }

  public static let none = SearchHits(keys: [])

  public var count: Int { content.keys.count }
  public var ids: [ArticleID] { content.keys.map { ArticleID(rawValue: $0.id) } }
  /// True if ordered by rank, title and the like, not by date.
  public var isRanked: Bool { content.isRanked }

  /// Returns the index of the first hit that is not before the key, or the end.
  public func place(of key: ArticleKey) -> Int { content.place(of: ListKey(key)) }

  /// Compares identities: equal values are the result of the same search.
  public static func == (a: SearchHits, b: SearchHits) -> Bool { a.content === b.content }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(content)) }
}

extension SearchHits.Content {
  /// Returns the index of the first key that is not before this one, or the end.
  package func place(of key: ListKey) -> Int {
    if isRanked { return places[key] ?? keys.count }
    var (low, high) = (0, keys.count)
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] > key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
