public import Foundation

/// Articles that are fetched whole for offline reading: their texts, their pictures and, on
/// request, their audio.
public struct Pack: Sendable, Equatable, Identifiable {
  /// Kinds of parts, in the order in which they are fetched; stored as numbers.
  public enum Stage: Int, Sendable, CaseIterable { case text, picture, audio = 3 }

  /// The reason that fetching ended; stored as text.
  public enum End: String, Sendable { case complete, budget, stopped, diskFull }

  /// States of a part; stored as numbers. Those left out would exceed the budget.
  public enum State: Int, Sendable { case waiting, done, failed, leftOut }

  public var id: Int64
  /// The query that selected the articles; empty for those kept for later and unread ones.
  public var query: String
  /// Bytes on the wire, including an allowance for protocol overhead, as in `received`.
  public var budget: Int64
  public var startedAt: Date
  public var endedAt: Date?
  public var end: End?
  public var received: Int64 = 0
  public var articles = 0
  /// Minutes of reading of all articles, and of those that are complete offline.
  public var minutes = 0
  public var readableMinutes = 0
  public var parts: [Stage: [State: Int]] = [:]
  /// Bytes on the wire of the parts of a stage that are done.
  public var bytes: [Stage: Int64] = [:]

  public init(id: Int64, query: String, budget: Int64, startedAt: Date) {
    (self.id, self.query, self.budget, self.startedAt) = (id, query, budget, startedAt)
  }

  public var isOpen: Bool { endedAt == nil }

  public subscript(stage: Stage, state: State) -> Int { parts[stage]?[state] ?? 0 }

  public subscript(state: State) -> Int { Stage.allCases.reduce(0) { $0 + self[$1, state] } }

  /// The fetched part of the pack, or the used part of its budget, from 0 to 1.
  public var share: Double {
    let (waiting, ended) = (Double(self[.waiting]), Double(self[.done] + self[.failed]))
    guard isOpen, waiting > 0 else { return 1 }
    return min(1, max(ended / (ended + waiting), Double(received) / Double(max(1, budget))))
  }
}

/// An article for a new pack.
public struct PackArticle: Sendable, Equatable {
  public var id: ArticleID
  public var minutes: Int
  /// The page to fetch the text from; `nil` if the text is present.
  public var page: String?
  public var pictures: [String]
  public var audio: String?

  public init(
    id: ArticleID, minutes: Int, page: String? = nil, pictures: [String] = [], audio: String? = nil
  ) {
    (self.id, self.minutes, self.page) = (id, minutes, page)
    (self.pictures, self.audio) = (pictures, audio)
  }
}
