@_exported public import WorkStore

/// Full-text search, its index, and saved searches.
public typealias SearchCache = Facet<SavedSearch>

/// Rules for arriving articles.
public typealias RuleCache = Facet<Rule>

/// Programs that rules run.
public struct ProgramWork: WorkFacet {
  public let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }
}
