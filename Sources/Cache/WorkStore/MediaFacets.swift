@_exported public import ArticleStore

/// Files of articles: requested, downloaded and played.
public struct DownloadCache: CacheFacet {
  public let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }
}

/// Downloads that wait for the engine.
public struct DownloadWork: WorkFacet {
  public let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }
}

/// Texts of the pages of articles.
public struct FullTextCache: CacheFacet {
  public let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }
}

/// Pages that wait for the engine.
public struct FullTextWork: WorkFacet {
  public let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }
}

/// Pictures of articles.
public struct PictureCache: CacheFacet {
  public let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }
}

/// Pictures that wait for the engine.
public struct PictureWork: WorkFacet {
  public let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }
}

/// Sets of articles for reading offline.
public struct PackCache: CacheFacet {
  public let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }
}

/// Parts of packs that wait for the engine.
public struct PackWork: WorkFacet {
  public let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }
}
