/// Full-text search, its index, and saved searches.
public struct SearchCache: CacheFacet { public let database: StoreDatabase }

/// Rules on arriving articles.
public struct RuleCache: CacheFacet { public let database: StoreDatabase }

/// Programs that rules run.
public struct ProgramWork: CacheFacet { public let database: StoreDatabase }
