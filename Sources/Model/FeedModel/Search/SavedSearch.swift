/// A search saved under a name, listed like a feed.
public struct SavedSearch: Sendable, Identifiable, Equatable {
  public var id: SavedSearchID
  /// Plain text, never empty.
  public var name: String
  public var query: String
  /// Order among the saved searches.
  public var position: Int
  public init(id: SavedSearchID, name: String, query: String, position: Int = 0) {
    self.id = id
    self.name = name
    self.query = query
    self.position = position
  }
}
