/// A kind of operation of the sync.
public enum OperationKind: String, Sendable, Codable, CaseIterable {
  case refresh, discovery, fullText, download
  /// Sends pending changes to an account's server.
  case push
  /// Fetches an account's state from its server.
  case pull
  case picture, pack
  case ruleProgram
  case olderPosts
  case chapters

  /// The request that the user withdraws to stop an operation.
  public enum Stop: Sendable {
    case refresh, discovery, fullText, download, olderPosts
    case impossible(why: String)
  }

  public var stop: Stop {
    switch self {
    case .refresh: .refresh
    case .discovery: .discovery
    case .fullText: .fullText
    case .download: .download
    case .olderPosts: .olderPosts
    case .push: .impossible(why: "Changes that are being sent can\u{2019}t be stopped")
    case .pull: .impossible(why: "An account\u{2019}s sync can\u{2019}t be stopped")
    case .picture, .pack, .chapters: .impossible(why: "This can\u{2019}t be stopped here")
    case .ruleProgram: .impossible(why: "A rule\u{2019}s program can\u{2019}t be stopped here")
    }
  }

  /// - Parameter name: the name of its feed, account or program, the title of its article, or its
  ///   address; empty for the program that notifies.
  public func title(_ name: String) -> String {
    switch self {
    case .refresh: name
    case .discovery: "Feeds at \(name)"
    case .fullText: "Text of \u{201C}\(name)\u{201D}"
    case .chapters: "Chapters of \u{201C}\(name)\u{201D}"
    case .download: "File \(Download.fileName(of: name))"
    case .olderPosts: "Older posts of \(name)"
    case .push: "Changes for \(name)"
    case .pull: "Account \(name)"
    case .picture: "Picture \(Download.fileName(of: name))"
    case .pack: "Pack: \(Download.fileName(of: name))"
    case .ruleProgram: name.isEmpty ? "Notifications" : "Program \(name)"
    }
  }
}

/// Identifies the work of an operation: its kind and a row of the cache. Each key has at most one
/// operation.
public struct OperationKey: Hashable, Sendable, Codable {
  public var kind: OperationKind
  public var row: Int64

  public init(kind: OperationKind, row: Int64) { (self.kind, self.row) = (kind, row) }

  public static func refresh(_ feed: FeedID) -> OperationKey {
    OperationKey(kind: .refresh, row: feed.rawValue)
  }

  /// The feed of a refresh; `nil` for other operations.
  public var feed: FeedID? { kind == .refresh ? FeedID(rawValue: row) : nil }
}
