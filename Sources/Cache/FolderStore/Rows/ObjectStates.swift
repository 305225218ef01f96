import Foundation
import GRDB

/// Compares the saved searches and rules of this device with those of the shared folder. Rules of
/// `rules.toml` are left out, because they belong to a file of the user.
struct ObjectStates {
  private struct Local {
    var table: String
    var id: Int64
    var field: Field
    var value: JSONValue
  }

  private let transaction: Transaction
  private var db: Database { transaction.db }
  private let state: MergedState

  init(_ transaction: Transaction, _ state: MergedState) {
    (self.transaction, self.state) = (transaction, state)
  }

  private func local() throws -> [Local] {
    let searches = try SavedSearchRows.all(db).map { search in
      Local(
        table: "savedSearch", id: search.id.rawValue, field: .search,
        value: .object(["name": .string(search.name), "query": .string(search.query)]))
    }
    let rules = try RuleRows.all(db).filter { !$0.isFile }.map { rule in
      Local(table: "rule", id: rule.id.rawValue, field: .rule, value: Self.value(rule))
    }
    return searches + rules
  }

  private static func value(_ rule: Rule) -> JSONValue {
    let draft = rule.draft
    var members: [String: JSONValue] = [
      "name": .string(draft.name), "query": .string(draft.query),
      "actions": .string(RuleAction.text(draft.actions)),
      "enabled": .integer(rule.isEnabled ? 1 : 0), "stops": .integer(draft.stops ? 1 : 0),
    ]
    if let until = draft.until { members["until"] = .integer(until.milliseconds) }
    return .object(members)
  }

  /// Returns the objects of the rows that are or were here, by table and key.
  private func objects() throws -> [String: [Int64: ObjectID]] {
    try db.all("SELECT object, source, rowKey FROM folderObject ORDER BY object DESC") { row in
      let object = ObjectID(rawValue: UInt64(bitPattern: row["object"] as Int64))
      return (row["source"] as String, row["rowKey"] as Int64, object)
    }.reduce(into: [:]) { $0[$1.0, default: [:]][$1.1] = $1.2 }
  }

  private func bind(_ object: ObjectID, to table: String, _ id: Int64) throws {
    try db.run(
      "INSERT OR REPLACE INTO folderObject (object, source, rowKey) VALUES (?, ?, ?)",
      [Int64(bitPattern: object.rawValue), table, id])
  }

  private func shared(_ object: ObjectID, _ field: Field) -> Register? {
    state.registers[RegisterKey(.object(object), field)]
  }

  // MARK: Order

  /// Returns the member that keeps an object at its place among those of its kind. A new object is
  /// the last one.
  /// - Parameter next: the places of further new objects.
  private func placed(
    _ object: ObjectID, _ field: Field, _ next: inout [Field: Int64]
  ) -> [String: JSONValue] {
    if let known = shared(object, field)?.rest["place"] { return ["place": known] }
    let place =
      next[field] ?? state.registers.filter { $0.key.field == field }.values
      .compactMap { $0.rest["place"]?.integer }.max().map { $0 &+ 1 } ?? 0
    next[field] = place &+ 1
    return ["place": .integer(place)]
  }

  /// Sorts searches and rules by their places. Those without a place follow in their order here.
  private func sort() throws {
    let objects = try objects()
    for (table, rows) in Dictionary(grouping: try local(), by: \.table) {
      let sorted = rows.enumerated().map { index, row -> (Int64, UInt64, id: Int64) in
        guard let object = objects[table]?[row.id],
          let place = shared(object, row.field)?.rest["place"]?.integer
        else { return (.max, UInt64(index), row.id) }
        return (place, object.rawValue, row.id)
      }.sorted { ($0.0, $0.1) < ($1.0, $1.1) }
      for (position, row) in sorted.enumerated() {
        try db.run(
          "UPDATE \(table) SET position = ?1 WHERE id = ?2 AND position <> ?1",
          [position, row.id])
      }
    }
  }

  // MARK: Own changes

  /// Writes entries for the differences from the merged state.
  /// - Parameter removed: rows that the user removed. Other missing rows do not count as removed.
  func flushDifferences(
    removed: [(table: String, id: Int64)], at milliseconds: Int64, _ folder: inout OpenFolder
  ) throws {
    let (local, objects) = (try local(), try objects())
    var next: [Field: Int64] = [:]
    for local in local {
      let known = objects[local.table]?[local.id]
      let object = known ?? ObjectID(rawValue: .random(in: 1...UInt64.max))
      if known == nil { try bind(object, to: local.table, local.id) }
      let shared = shared(object, local.field)
      guard !Self.isSame(local.value, shared?.value) else { continue }
      try folder.addEntry(
        local.field, of: .object(object), local.value,
        rest: placed(object, local.field, &next), at: milliseconds, after: shared?.stamp.time)
    }
    for row in removed where !local.contains(where: { $0.table == row.table && $0.id == row.id }) {
      let field = row.table == "rule" ? Field.rule : .search
      guard let object = objects[row.table]?[row.id], let shared = shared(object, field),
        shared.value != .integer(0)
      else { continue }
      try folder.addEntry(
        field, of: .object(object), .integer(0), rest: placed(object, field, &next),
        at: milliseconds, after: shared.stamp.time)
    }
  }

  /// Compares values without the members of later versions. A rule that starts programs is
  /// disabled where it arrives.
  private static func isSame(_ local: JSONValue, _ shared: JSONValue?) -> Bool {
    guard let shared = shared?.members, let local = local.members else { return false }
    let rule = ArrivingRule(shared["actions"]?.text ?? "")
    if !rule.unknown.isEmpty { return true }
    return ["name", "query", "actions", "enabled", "stops", "until"].allSatisfy { name in
      local[name] == shared[name] || (name == "enabled" && !rule.programs.isEmpty)
    }
  }

  // MARK: Changes of other devices

  /// Merges the searches and rules of a folder with the local ones during onboarding, and writes
  /// entries for those that only this device has. Equal searches and rules become one.
  func join(_ objects: Set<ObjectID>, _ folder: inout OpenFolder) throws {
    var next: [Field: Int64] = [:]
    let sorted = objects.sorted()
    for local in try local() {
      let same = sorted.first { Self.isSame(local.value, shared($0, local.field)?.value) }
      let object = same ?? ObjectID(rawValue: .random(in: 1...UInt64.max))
      try bind(object, to: local.table, local.id)
      guard same == nil else { continue }
      try folder.export(
        local.field, of: .object(object), local.value, rest: placed(object, local.field, &next))
    }
    _ = try apply(objects)
  }

  func apply(_ changed: Set<ObjectID>) throws -> StoreError.Detail? {
    let refusal = try db.writeAccepted(changed.sorted()[...]) { for id in $0 { try apply(id) } }
    try sort()
    return refusal
  }

  private func apply(_ object: ObjectID) throws {
    for (table, field) in [("savedSearch", Field.search), ("rule", .rule)] {
      guard let value = shared(object, field)?.value else { continue }
      let id: Int64? = try db.value(
        "SELECT rowKey FROM folderObject WHERE object = ? AND source = ?",
        [Int64(bitPattern: object.rawValue), table])
      let isHere = try id.map { try db.exists("SELECT 1 FROM \(table) WHERE id = ?", [$0]) }
      guard let members = value.members, let query = members["query"]?.text else {
        if let id { try db.run("DELETE FROM \(table) WHERE id = ?", [id]) }
        continue
      }
      let known = isHere == true ? id : nil
      let new =
        field == .rule
        ? try set(rule: known, query, members) : try set(search: known, query, members)
      if let new { try bind(object, to: table, new) }
    }
  }

  private func set(
    search id: Int64?, _ query: String, _ members: [String: JSONValue]
  ) throws -> Int64 {
    let name = members["name"]?.text ?? query
    guard let id else { return try SavedSearchRows.insert(name, query, db) }
    try db.run("UPDATE savedSearch SET name = ?, query = ? WHERE id = ?", [name, query, id])
    return id
  }

  /// - Returns: `nil` for a rule with actions of a later version, which is not applied.
  private func set(
    rule id: Int64?, _ query: String, _ members: [String: JSONValue]
  ) throws -> Int64? {
    let arriving = ArrivingRule(members["actions"]?.text ?? "")
    guard arriving.unknown.isEmpty else { return nil }
    let draft = RuleDraft(
      name: members["name"]?.text ?? "", query: query,
      actions: RuleAction.actions(members["actions"]?.text ?? "") ?? [],
      stops: members["stops"] == .integer(1),
      until: (members["until"]?.integer).map { Date(milliseconds: $0) })
    let isEnabled = members["enabled"] == .integer(1)
    guard let id else {
      return try RuleRows.insert(
        draft, isEnabled: isEnabled && arriving.programs.isEmpty, isFile: false,
        at: transaction.now, db)
    }
    let old = try RuleRows.find(RuleID(rawValue: id), db)
    try RuleRows.update(id, draft, db)
    // Programs that the user allowed here may run; others wait for that.
    let mayRun = arriving.programs.allSatisfy(old.draft.actions.contains) && old.isEnabled
    try db.run(
      "UPDATE rule SET isEnabled = ? AND problem IS NULL WHERE id = ?",
      [isEnabled && (arriving.programs.isEmpty || mayRun), id])
    return id
  }
}
