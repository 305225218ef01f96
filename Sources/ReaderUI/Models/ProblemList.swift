import FeedModel

/// The feeds that failed or moved, the longest failing first; those that share a host and a cause stand
/// together under one heading.
struct ProblemList {
  enum RowID: Hashable {
    case group(host: String, kind: RefreshFailure.Kind, status: Int?)
    case feed(FeedID)
  }

  struct Row {
    var id: RowID
    /// One, or all of a group.
    var feeds: [Feed]
    /// It stands under the heading of its group.
    var isMember = false
    /// The last row of its block: a blank line may follow.
    var endsBlock = true

    var isGroup: Bool { if case .group = id { true } else { false } }
  }

  /// So many with one cause are told together.
  private static let groupFrom = 3

  let rows: [Row]
  /// Every feed once.
  let feeds: [Feed]

  init(_ feeds: [Feed] = []) {
    self.feeds = feeds
    let causes = Dictionary(grouping: feeds, by: Self.cause)
    var told: Set<RowID> = []
    var rows: [Row] = []
    for feed in feeds {
      guard let cause = Self.cause(feed), let shared = causes[cause],
        shared.count >= Self.groupFrom
      else {
        rows.append(Row(id: .feed(feed.id), feeds: [feed]))
        continue
      }
      guard told.insert(cause).inserted else { continue }
      rows.append(Row(id: cause, feeds: shared, endsBlock: false))
      rows += shared.map {
        Row(id: .feed($0.id), feeds: [$0], isMember: true, endsBlock: $0.id == shared.last?.id)
      }
    }
    self.rows = rows
  }

  private static func cause(_ feed: Feed) -> RowID? {
    guard let failure = feed.state.failure, let host = WebAddress(feed.url).host else { return nil }
    return .group(host: host, kind: failure.kind, status: failure.status)
  }
}
