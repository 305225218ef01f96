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
  /// Returns the message about the new subscription.
  func added(isRepaired: Bool) -> String {
    let name = (title ?? HiddenSecrets.name(of: url)).shortName
    switch kind {
    case .feed: return "Subscribed to \(name)"
    case .list: return "Following the list \(name)"
    case .headlines where isRepaired:
      return "\(name) has its new headlines, and keeps its articles"
    case .headlines: return "Following the headlines of \(name)"
    }
  }
}
