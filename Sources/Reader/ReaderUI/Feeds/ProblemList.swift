import Foundation

/// Feeds that failed or moved: those that need the user, by cause, then those that are retried
/// automatically. In each group, the longest failing feed comes first.
nonisolated struct ProblemList {
  enum RowID: Hashable {
    /// The heading of all feeds that need the user, or of all others.
    case section(needsUser: Bool)
    case cause(Remedy.Cause)
    /// A host that asked for a pause.
    case pause(String)
    case feed(FeedID)
  }

  struct Row: Identifiable {
    var id: RowID
    /// A single feed, or all feeds of a group or a host.
    var feeds: [Feed]
    /// True if the row is below the heading of its cause.
    var isMember = false
    /// True for the last row of its block, which a blank line may follow.
    var endsBlock = true

    var isGroup: Bool { if case .feed = id { false } else { true } }
    var isSection: Bool { if case .section = id { true } else { false } }
  }

  private(set) var rows: [Row] = []
  /// All feeds, each one once.
  let feeds: [Feed]
  private(set) var pauses: [HostPause] = []

  init(_ feeds: [Feed] = [], at now: Date = .distantPast) {
    self.feeds = feeds
    let causes = Dictionary(grouping: feeds) { Remedy($0, at: now)?.cause ?? .retry }
    let needy = feeds.filter { Remedy($0, at: now)?.cause != .retry }
    if !needy.isEmpty {
      rows.append(Row(id: .section(needsUser: true), feeds: needy, endsBlock: false))
    }
    for cause in Remedy.Cause.allCases where cause != .retry {
      guard let feeds = causes[cause] else { continue }
      if feeds.count == 1 {
        rows.append(Row(id: .feed(feeds[0].id), feeds: feeds))
      } else {
        rows.append(Row(id: .cause(cause), feeds: feeds, endsBlock: false))
        append(feeds)
      }
    }
    pauses = HostPause.all(causes[.retry] ?? [])
    rows += pauses.map { Row(id: .pause($0.host), feeds: $0.feeds, endsBlock: false) }
    if !pauses.isEmpty { rows[rows.count - 1].endsBlock = true }
    let retried = (causes[.retry] ?? []).filter { $0.state.failure?.kind != .rateLimited }
    guard !retried.isEmpty else { return }
    rows.append(Row(id: .section(needsUser: false), feeds: retried, endsBlock: false))
    append(retried)
  }

  var waitingCount: Int { pauses.reduce(0) { $0 + $1.feeds.count } }

  private mutating func append(_ members: [Feed]) {
    rows += members.map {
      Row(id: .feed($0.id), feeds: [$0], isMember: true, endsBlock: $0.id == members.last?.id)
    }
  }
}
