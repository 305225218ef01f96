import FeedModel
public import Foundation

/// How much waits to be sent to an account's server.
public struct OutboxCounts: Sendable, Equatable {
  /// Not tried yet.
  public var pending: Int
  /// Tried; tried again when its time comes.
  public var failed: Int
  /// Set aside: the server will not have it.
  public var refused: Int
  /// When the first of what waits is sent; nil: nothing waits, or it is sent as soon as possible.
  public var nextTry: Date?
  /// Changes that will be sent: all but the refused ones.
  public var waiting: Int { pending + failed }

  /// Nothing waits, unless it is given.
  public init(pending: Int = 0, failed: Int = 0, refused: Int = 0, nextTry: Date? = nil) {
    self.pending = pending
    self.failed = failed
    self.refused = refused
    self.nextTry = nextTry
  }
}

/// When an account wants something of the engine.
public struct AccountWork: Sendable, Equatable {
  /// As it was when the work was looked up.
  public var account: Account
  /// When what waits in the outbox is to be sent; nil: nothing does.
  public var pushAt: Date?
  /// When the server's state is to be fetched; nil: not by itself.
  public var pullAt: Date?
  /// When the server is to be asked whether it shows what it has confirmed; nil: it need not be.
  public var readBackAt: Date?
  /// When the first of the changes may be sent that are held so that they can be undone; nil: none
  /// is.
  public var heldUntil: Date?
}

/// Confirmed changes of an account that no pull has shown yet.
public struct ConfirmedStates: Sendable, Equatable {
  /// The server's names of the articles, each once.
  public var articles: [String]
  /// Whether subscriptions are among the changes: only the list of all subscriptions shows those.
  public var hasSubscriptions: Bool
}

/// Changes that can go in one request.
public struct OutboxBatch: Sendable, Equatable {
  /// One change of one article, feed or folder.
  public struct Row: Sendable, Equatable {
    /// The key of its row in the cache.
    public var seq: Int64
    /// The server's name of the article.
    public var item: String
    /// The number of failed attempts.
    public var attempts: Int
    /// It was sent, and no answer came: the server may have taken it.
    public var isUnanswered: Bool
  }
  /// What all rows of the batch change.
  public enum Content: Sendable, Equatable {
    /// Whether the articles are read.
    case read(Bool)
    /// Whether the articles are starred.
    case starred(Bool)
    /// The server's name of a label, and whether the articles are to have it.
    case label(String, Bool)
    /// One row, about this feed.
    case subscription(OutboxEntry.Change, OutboxFeed)
    /// One row, about the folder of this name.
    case folder(OutboxEntry.Change, String)
  }
  /// What all rows change.
  public var content: Content
  /// Those tried least often first, then oldest first. One row for a subscription or a folder.
  public var rows: [Row]
}

/// A feed whose subscription is to change at its account's server.
public struct OutboxFeed: Sendable, Equatable {
  /// The server's name of it; nil if that is not known here.
  public var remoteID: String?
  /// The feed's address.
  public var url: String
  /// The user's own name for it.
  public var title: String?
  /// Its folder's name; empty: none.
  public var folder: String
  /// The folder that the server has it in.
  public var remoteFolder: String

  /// What is not given is nil or empty.
  public init(
    remoteID: String? = nil, url: String, title: String? = nil, folder: String = "",
    remoteFolder: String = ""
  ) {
    self.remoteID = remoteID
    self.url = url
    self.title = title
    self.folder = folder
    self.remoteFolder = remoteFolder
  }
}

/// What a run of an account's operations came to, for its row.
public struct AccountOutcome: Sendable {
  /// When the run began: requests for a sync up to then are done. `.distantPast`: none is.
  public var began: Date
  /// The server's state is here as a whole.
  public var hasPulled: Bool
  /// Nil: it succeeded; a stored failure is cleared.
  public var failure: AccountFailure?
  /// When the server is asked next by itself; nil: only when the user asks.
  public var nextSyncAt: Date?
  /// The server asked for no requests before then; nil: it did not.
  public var pausedUntil: Date?

  /// - Parameter pausedUntil: nil: the server may be asked again.
  public init(
    began: Date, hasPulled: Bool, failure: AccountFailure?, nextSyncAt: Date?,
    pausedUntil: Date? = nil
  ) {
    self.began = began
    self.hasPulled = hasPulled
    self.failure = failure
    self.nextSyncAt = nextSyncAt
    self.pausedUntil = pausedUntil
  }
}
