import Foundation
import GRDB

/// Numbers of the rows that another device removed or replaced here. The subject of an entry of the
/// journal is its JSON.
public struct Losses: Sendable, Equatable, Codable {
  /// The kinds of what the user has. Raw values are stored.
  public enum Kind: String, CaseIterable, Codable, Sendable {
    case feeds, stars, later, tags, articles, searches, rules
  }

  public var name: String
  private var counts: [Kind: Int] = [:]

  public init?(_ subject: String?) {
    guard let losses: Self = StoredJSON.value(subject) else { return nil }
    self = losses
  }

  package init(by name: String) { self.name = name }

  public subscript(kind: Kind) -> Int { counts[kind] ?? 0 }

  package mutating func add(_ images: [RowImages]) {
    for image in images {
      if let kind = image.loss { counts[kind, default: 0] += image.keys.count }
    }
  }

  package var text: String { (try? StoredJSON.text(self)) ?? "" }
}

extension RowImages {
  /// Kind of the loss by the change; `nil` for nothing that the user made.
  package var loss: Losses.Kind? {
    switch table {
    case "feed": return .feeds
    case "savedSearch": return before == nil ? nil : .searches
    case "rule": return before == nil ? nil : .rules
    case "articleTag": return after == nil ? .tags : nil
    case "articleStatus":
      let new = after ?? [:]
      if new[Mark.starred.rawValue] == "0" { return .stars }
      if let later = new[Mark.later.rawValue], later == nil { return .later }
      let hidden = (new["isHidden"] ?? nil).flatMap { Int64($0) } ?? 0
      return hidden & HiddenReason.deleted == 0 ? nil : .articles
    default: return nil
    }
  }
}
