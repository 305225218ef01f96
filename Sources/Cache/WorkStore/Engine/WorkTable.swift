package import GRDB

/// A row that waits for the engine.
package protocol WorkTask: Sendable {
  var id: Int64 { get }
  /// The address that the engine requests first.
  var url: String { get }
}

/// The rows of a table that wait for the engine, as parts of SQL statements.
package struct WorkTable<Task: Sendable>: Sendable {
  let select: String
  let from: String
  let waiting: String
  let queue: String
  let key: String
  let name: String
  let decode: @Sendable (Row) -> Task

  /// - Parameters:
  ///   - select: SELECT and its columns.
  ///   - from: joined tables. CROSS JOIN keeps their order: without statistics the planner would
  ///     begin with all articles, in every cycle of the engine.
  ///   - waiting: the condition for rows that wait.
  ///   - queue: follows `waiting` in the statement that lists them: conditions, order, limit.
  ///   - key: the column of the row's number.
  ///   - name: the expression of what the console shows, over the same tables.
  package init(
    _ select: String, from: String, waiting: String, queue: String, key: String, name: String,
    decode: @escaping @Sendable (Row) -> Task
  ) {
    (self.select, self.from, self.waiting, self.queue) = (select, from, waiting, queue)
    (self.key, self.name, self.decode) = (key, name, decode)
  }

  package func list(
    _ db: Database, _ queue: String, _ arguments: StatementArguments = []
  ) throws -> [Task] {
    try db.all("\(select) FROM \(from) WHERE \(waiting) \(queue)", arguments, decode)
  }
}

/// Rows of one kind that wait for the engine.
package protocol WorkFacet: CacheFacet {
  associatedtype Task: Sendable
  static var table: WorkTable<Task> { get }
  init(database: StoreDatabase)
}

extension WorkFacet {
  /// Returns the first waiting tasks, in the order in which they are to run.
  package func pending() throws(StoreError) -> [Task] {
    try database.read { db in try Self.table.list(db, Self.table.queue) }
  }

  /// Returns the numbers of all waiting rows.
  package func waiting() throws(StoreError) -> Set<Int64> {
    let table = Self.table
    return Set(try database.values("SELECT \(table.key) FROM \(table.from) WHERE \(table.waiting)"))
  }

  /// Returns a task; `nil` if it does not wait.
  package func task(_ id: Int64) throws(StoreError) -> Task? {
    try database.read { db in try Self.table.list(db, "AND \(Self.table.key) = ?", [id]).first }
  }

  /// Returns what the console shows for a row in any state; `nil` if the row is gone.
  package func name(_ id: Int64) throws(StoreError) -> String? {
    let table = Self.table
    return try database.value(
      "SELECT \(table.name) FROM \(table.from) WHERE \(table.key) = ?", [id])
  }
}
