/// Files of articles: requested, downloaded and played.
public struct DownloadCache: CacheFacet {
  public let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }
}

/// Downloads that wait for the engine.
public struct DownloadWork: CacheFacet {
  public let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }
}

/// The text of an article's page, for screens and for the engine.
public protocol FullTextReads: CacheFacet {}

/// Texts of the pages of articles.
public struct FullTextCache: FullTextReads {
  public let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }
}

/// Pages that wait for the engine.
public struct FullTextWork: FullTextReads {
  public let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }
}

/// Pictures of articles.
public struct PictureCache: CacheFacet {
  public let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }
}

/// Pictures that wait for the engine.
public struct PictureWork: CacheFacet {
  public let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }
}

/// Sets of articles for reading offline.
public struct PackCache: CacheFacet {
  public let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }
}

/// Parts of packs that wait for the engine.
public struct PackWork: CacheFacet {
  public let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }
}
