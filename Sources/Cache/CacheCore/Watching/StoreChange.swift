/// The parts of the cache that a commit changed.
public struct StoreChange: OptionSet, Sendable, Hashable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// Feeds, folders and saved searches: added, removed, renamed, moved, expanded.
  public static let subscriptions = StoreChange(rawValue: 1 << 0)
  /// Fetch bookkeeping: validators, failures, next check, phase.
  public static let fetches = StoreChange(rawValue: 1 << 1)
  /// Articles: new, changed, removed.
  public static let articles = StoreChange(rawValue: 1 << 2)
  public static let statuses = StoreChange(rawValue: 1 << 3)
  public static let counts = StoreChange(rawValue: 1 << 4)
  /// Requests to the engine and their results: refreshes, discoveries, full texts.
  public static let requests = StoreChange(rawValue: 1 << 5)
  public static let syncStatus = StoreChange(rawValue: 1 << 6)
  /// Feeds on screens, and processes that show the console.
  public static let attention = StoreChange(rawValue: 1 << 7)
  public static let journal = StoreChange(rawValue: 1 << 8)
  public static let telemetry = StoreChange(rawValue: 1 << 9)
  /// Pauses and cancellations.
  public static let steering = StoreChange(rawValue: 1 << 10)
  /// Accounts and their outboxes.
  public static let accounts = StoreChange(rawValue: 1 << 11)
  /// Rules, but not their effects.
  public static let rules = StoreChange(rawValue: 1 << 12)
  public static let playback = StoreChange(rawValue: 1 << 13)
  /// Feeds as the engine refreshes them: added, removed, paused, moved, with other options. Names
  /// and texts of their documents do not count, except in commits of other processes.
  public static let feedSettings = StoreChange(rawValue: 1 << 14)
  /// Includes parts that later versions add.
  public static let everything = StoreChange(rawValue: .max)
}
