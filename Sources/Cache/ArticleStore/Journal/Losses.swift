package import GRDB

/// What another device removed or replaced here, in numbers: the subject of an entry of the
/// journal.
public struct Losses: Sendable, Equatable {
  /// Raw values are stored.
  public enum Kind: String, CaseIterable, Sendable {
    case feeds, stars, later, tags, articles, searches, rules
  }

  /// The device.
  public var name: String
  public var counts: [Kind: Int]

  package init(_ images: [RowImages], by name: String) {
    (self.name, counts) = (name, [:])
    add(images)
  }

  /// Reads what `text` returns.
  public init(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    name = parts.count > 1 ? String(parts[1]) : ""
    counts = [:]
    for (kind, number) in zip(Kind.allCases, parts.first?.split(separator: " ") ?? []) {
      if let count = Int(number), count > 0 { counts[kind] = count }
    }
  }

  package var text: String {
    Kind.allCases.map { String(counts[$0] ?? 0) }.joined(separator: " ") + ":" + name
  }

  private mutating func add(_ images: [RowImages]) {
    for image in images {
      if let kind = image.loss { counts[kind, default: 0] += image.keys.count }
    }
  }

  /// Adds to an entry. Returns false if the entry is gone or undone.
  package static func extend(_ entry: Int64, by images: [RowImages], _ db: Database) throws -> Bool
  {
    let subject: String? = try db.value(
      "SELECT subject FROM journal WHERE id = ? AND isUndone = 0", [entry])
    guard let subject else { return false }
    var losses = Losses(subject)
    losses.add(images)
    try Journal.append(images, to: entry, db)
    try db.run(
      "UPDATE journal SET subject = ?, count = count + ? WHERE id = ?",
      [losses.text, images.reduce(0) { $0 + $1.keys.count }, entry])
    return true
  }
}

extension RowImages {
  package var isLoss: Bool { loss != nil }

  /// What the change took away; `nil` for nothing that the user made.
  fileprivate var loss: Losses.Kind? {
    switch table {
    case "feed": return .feeds
    case "savedSearch": return before == nil ? nil : .searches
    case "rule": return before == nil ? nil : .rules
    case "articleTag": return after == nil ? .tags : nil
    case "articleStatus":
      let new = after ?? [:]
      if new[ArticleMark.starred.rawValue] == "0" { return .stars }
      if let later = new["laterAt"], later == nil { return .later }
      let hidden = (new["isHidden"] ?? nil).flatMap { Int64($0) } ?? 0
      return hidden & HiddenReason.deleted == 0 ? nil : .articles
    default: return nil
    }
  }
}
