import Foundation
import GRDB

extension RowImages {
  /// Writes the images before or after a change, except those that became impossible: an address
  /// that is taken, a folder that is gone. If a feed's setting has another value by now, that value
  /// stays. A folder whose title is taken gets its key as a suffix.
  package static func write(
    _ images: [RowImages], isUndo: Bool, _ transaction: Transaction
  ) throws {
    let db = transaction.db
    let steps = images.map { image in
      Step(
        table: image.table, keys: image.keys, from: isUndo ? image.after : image.before,
        to: isUndo ? image.before : image.after)
    }
    // A folder may be restored before its parent.
    try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
    // Folders get temporary titles, because two of them may exchange their titles.
    for step in steps where step.table == "folder" && step.from != nil {
      for id in step.keys {
        try db.run("UPDATE folder SET title = char(0) || id WHERE id = ?", [id])
      }
    }
    for step in steps where step.from == nil && step.table != "articleTag" { try step.insert(db) }
    var moved: [Int64] = []
    for step in steps where step.from != nil && step.to != nil {
      switch step.table {
      case "feed": moved += try step.updateFeeds(transaction)
      case "articleStatus": try step.updateStates(transaction)
      default: try step.update(db)
      }
    }
    var tags = TagRows(transaction)
    for step in isUndo ? steps.reversed() : steps where step.table == "articleTag" {
      guard let tag = (step.to ?? step.from)?["tag"] ?? nil else { continue }
      for article in step.keys { _ = try tags.set(tag, step.to != nil, of: article) }
    }
    for step in steps where step.to == nil && step.table != "articleTag" { try step.delete(db) }
    guard steps.contains(where: \.isArrangement) else { return }
    for (table, column) in [("feed", "folderID"), ("folder", "parentID")] {
      try db.run(
        """
        UPDATE \(table) SET \(column) = NULL
        WHERE \(column) IS NOT NULL AND \(column) NOT IN (SELECT id FROM folder)
        """)
    }
    for feed in moved {
      try FetchRows.forgetAddress(of: FeedID(rawValue: feed), db, at: transaction.at)
    }
    try transaction.participants.recorder?.recordArrangement(
      renamed: FolderTitles.changed(by: images, isUndo: isUndo), in: transaction)
  }

  /// The images of one direction.
  private struct Step {
    var table: String
    var keys: [Int64]
    var from: Values?
    var to: Values?

    var isArrangement: Bool {
      table == "folder" || table == "feed" && (to ?? [:]).keys.contains { $0 != "removedAt" }
    }

    /// Returns the columns that the table still has, with their values.
    private func columns(
      _ values: Values?, _ db: Database
    ) throws -> [(name: String, value: String?)] {
      let known = Set(try db.columns(in: table).map(\.name))
      return (values ?? [:]).filter { known.contains($0.key) }.sorted { $0.key < $1.key }
        .map { ($0.key, $0.value) }
    }

    func insert(_ db: Database) throws {
      let key = try RowImages.key(of: table, db)
      let columns = try columns(to, db)
      let names = ([key] + columns.map(\.name)).joined(separator: ", ")
      let places = columns.map { _ in ", ?" }.joined()
      // Rows of a deleted article are not restored.
      let condition = key == "id" ? "1" : "EXISTS (SELECT 1 FROM article WHERE id = ?1)"
      for id in keys {
        try put(columns, id) { values in
          try db.run(
            "INSERT OR IGNORE INTO \(table) (\(names)) SELECT ?1\(places) WHERE \(condition)",
            [id] + StatementArguments(values))
        }
      }
    }

    /// Keeps a reading position that is no longer as the entry left it: positions have no entries.
    func update(_ db: Database) throws {
      let columns = try columns(to, db)
      guard !columns.isEmpty else { return }
      let settings = columns.map { "\($0.name) = ?" }.joined(separator: ", ")
      let key = try RowImages.key(of: table, db)
      let asLeft = table == "readingPosition" ? try self.columns(from, db) : []
      let condition = asLeft.map { " AND \($0.name) IS ?" }.joined()
      for id in keys {
        try put(columns, id) { values in
          try db.run(
            "UPDATE OR IGNORE \(table) SET \(settings) WHERE \(key) = ?\(condition)",
            StatementArguments(values) + [id] + StatementArguments(asLeft.map(\.value)))
        }
      }
    }

    /// - Parameter write: a closure that returns the number of written rows.
    private func put(
      _ columns: [(name: String, value: String?)], _ id: Int64, _ write: ([String?]) throws -> Int
    ) throws {
      var values = columns.map(\.value)
      guard try write(values) == 0, table == "folder",
        let title = columns.firstIndex(where: { $0.name == "title" })
      else { return }
      values[title] = "\(values[title] ?? "") (\(id))"
      _ = try write(values)
    }

    func delete(_ db: Database) throws {
      let key = try RowImages.key(of: table, db)
      let columns = key == "id" ? [] : try columns(from, db)
      let condition = columns.map { " AND \($0.name) IS ?" }.joined()
      for id in keys {
        try db.run(
          "DELETE FROM \(table) WHERE \(key) = ?\(condition)",
          [id] + StatementArguments(columns.map(\.value)))
      }
    }

    /// Columns of a feed that form one setting.
    private static let settings = [["folderID", "position"], ["keepArticles", "keepDays"]]

    /// Writes only settings that are still as the entry left them, because redirects, accounts'
    /// servers and commands change feeds without the journal.
    /// - Returns: feeds with another address.
    func updateFeeds(_ transaction: Transaction) throws -> [Int64] {
      let db = transaction.db
      var moved: [Int64] = []
      if let removedAt = to?["removedAt"] {
        for feed in keys {
          if removedAt == nil {
            try FeedRemoval.restore(feed, transaction)
          } else {
            try FeedRemoval.remove(feed, heldFor: FeedRemoval.grace, transaction)
          }
        }
      }
      let columns = try columns(to, db).filter { $0.name != "removedAt" }
      let settings = Dictionary(grouping: columns) { column in
        Self.settings.first { $0.contains(column.name) } ?? [column.name]
      }
      for (_, setting) in settings.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
        let values = setting.map { "\($0.name) = ?" }.joined(separator: ", ")
        let asLeft = setting.map { "CAST(\($0.name) AS TEXT) IS ?" }.joined(separator: " AND ")
        for feed in keys {
          let written = try db.run(
            "UPDATE OR IGNORE feed SET \(values) WHERE id = ? AND \(asLeft)",
            StatementArguments(setting.map(\.value)) + [feed]
              + StatementArguments(setting.map { from?[$0.name] ?? nil }))
          if written > 0, setting[0].name == "url" { moved.append(feed) }
        }
      }
      return moved
    }

    func updateStates(_ transaction: Transaction) throws {
      let db = transaction.db
      for (column, value) in to ?? [:] {
        let new = value.flatMap { Int64($0) } ?? 0
        let old = (from?[column] ?? nil).flatMap { Int64($0) } ?? 0
        switch column {
        case Mark.read.rawValue, Mark.starred.rawValue:
          let mark: Mark = column == Mark.read.rawValue ? .read : .starred
          _ = try Marks.set(mark, new == 1, keys, transaction)
        case "isHidden" where (new ^ old) & HiddenReason.deleted != 0:
          if new > old {
            _ = try Deletion.hide(keys, at: transaction.now, db)
          } else {
            try Deletion.show(keys, db)
          }
        case "isHidden":
          try Hiding.hide(keys, new > old, for: new ^ old, db)
        default: try update(db)
        }
      }
    }
  }
}

extension FolderTitles {
  package static func changed(by images: [RowImages], isUndo: Bool = false) -> [FolderTitles] {
    images.compactMap { image in
      let (from, to) = isUndo ? (image.after, image.before) : (image.before, image.after)
      let (old, new) = (from?["title"] ?? nil, to?["title"] ?? nil)
      guard image.table == "folder", old != new, let folder = image.keys.first else { return nil }
      return FolderTitles(
        folder: folder, parent: ((from ?? to)?["parentID"] ?? nil).flatMap { Int64($0) }, old: old,
        new: new)
    }
  }
}
