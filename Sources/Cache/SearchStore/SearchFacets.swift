@_exported public import WorkStore

/// Full-text search, its index, and saved searches.
public struct SearchCache: CacheFacet {
  public let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }
}

/// Rules for arriving articles.
public struct RuleCache: CacheFacet {
  public let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }
}

/// Programs that rules run.
public struct ProgramWork: WorkFacet {
  public let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }
}
