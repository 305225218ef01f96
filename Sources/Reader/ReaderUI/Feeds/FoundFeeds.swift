import TerminalKit

/// Headings for the candidates found at an address.
enum FoundFeeds {
  /// Returns the heading of the candidates; `nil` if they are feeds.
  static func heading(_ candidates: [FeedCandidate]) -> String? {
    switch candidates.first?.kind {
    case .list:
      "A list of feeds. If you follow it, Weir subscribes to feeds that are added to it, and "
        + "unsubscribes from feeds that are removed; u undoes that."
    case .headlines:
      "The page has no feed. Choose links to follow as if they were articles."
    case .feed, nil: nil
    }
  }

  static func heading(ofTitles candidate: FeedCandidate) -> String {
    switch candidate.kind {
    case .feed: "Latest"
    case .list: "Feeds"
    case .headlines: "First headlines"
    }
  }

  static func verb(_ candidates: [FeedCandidate]) -> String {
    candidates.first?.kind == .feed ? "subscribe" : "follow"
  }
}

extension FeedCandidate {
  /// A new subscription and the message about it.
  struct Added: Sendable {
    var id: FeedID
    var sentence: String
  }

  nonisolated func subscribe(
    in path: [String], _ store: ReaderCache
  ) async throws(StoreError) -> Added {
    let fullName = title ?? HiddenSecrets.name(of: url)
    let name = fullName.shortName
    switch kind {
    case .feed:
      let folder = try await store.folders.folder(path: path)
      let id = try await store.feeds.subscribe(url: url, title: nil, folder: folder)
      return Added(id: id, sentence: "Subscribed to \(name)")
    case .list:
      let id = try await store.feeds.followList(url: url, name: fullName, in: path)
      return Added(id: id, sentence: "Following the list \(name)")
    case .headlines:
      let folder = try await store.folders.folder(path: path)
      let (id, isRepaired) = try await store.feeds.followHeadlines(url: url, folder: folder)
      return Added(
        id: id,
        sentence: isRepaired
          ? "\(name) has its new headlines, and keeps its articles"
          : "Following the headlines of \(name)")
    }
  }
}
