@_exported public import ArticleStore

/// Files of articles: requested, downloaded and played.
public struct DownloadCache<Side: CacheSide>: CacheFacet {
  public let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }
}

/// Texts of the pages of articles.
public struct FullTextCache<Side: CacheSide>: CacheFacet {
  public let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }
}

/// Pictures of articles.
public struct PictureCache<Side: CacheSide>: CacheFacet {
  public let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }
}

/// Sets of articles for reading offline.
public struct PackCache<Side: CacheSide>: CacheFacet {
  public let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }
}

/// The user's reading: what is kept for later or hidden until a time, saved pages, reading
/// positions and times, the daily page.
public typealias PlanCache = Facet<ReadingPosition>
