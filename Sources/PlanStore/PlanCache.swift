public import ArticleStore

/// The user's plans for reading: articles that stay hidden until a time.
public struct PlanCache: CacheFacet {
  public let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }
}
