public import Foundation

/// Options for opening a cache.
public struct StoreOptions: Sendable {
  /// Largest number of new articles of one feed per refresh; the newest are kept.
  public var maximumNewArticles: Int
  /// The retention of feeds that have no setting.
  public var retention: Retention
  /// Clock for the user's changes and “today”.
  public var now: @Sendable () -> Date
  /// Time zone of “today”.
  public var calendar: Calendar
  /// Returns the words of sanitised HTML as UTF-8 for search. Must be the same in every process,
  /// because it determines the indexed words to remove. The default returns the HTML.
  public var plainText: @Sendable (String) -> [UInt8]
  public var feedOptions: @Sendable (_ url: String) -> FeedOptions
  /// Returns the text of the article about a change of a followed list.
  public var listNotice: @Sendable (ListChange) -> ListNotice
  /// Bytes of pictures that are kept; the least recently used ones are removed first.
  public var pictureLimit: Int
  /// Words that the user reads in a minute, for `minutes:`.
  public var wordsPerMinute = ReadingTime.wordsPerMinute
  /// Called for each wait and each step of an upgrade before `open` returns, and for each later
  /// write that waits for a lock.
  public var onUpgrade: @Sendable (UpgradeStep) -> Void
  /// Called with each statement, without its values, and its time.
  public var trace: (@Sendable (String) -> Void)?

  public init(
    maximumNewArticles: Int = 1_000, retention: Retention = Retention(),
    now: @escaping @Sendable () -> Date = { Date() }, calendar: Calendar = .current,
    plainText: @escaping @Sendable (String) -> [UInt8] = { Array($0.utf8) },
    pictureLimit: Int = 500_000_000,
    feedOptions: @escaping @Sendable (_ url: String) -> FeedOptions = { _ in FeedOptions() },
    listNotice: @escaping @Sendable (ListChange) -> ListNotice = ListNotice.init,
    onUpgrade: @escaping @Sendable (UpgradeStep) -> Void = { _ in },
    trace: (@Sendable (String) -> Void)? = nil
  ) {
    (self.listNotice, self.maximumNewArticles) = (listNotice, maximumNewArticles)
    (self.retention, self.now, self.calendar) = (retention, now, calendar)
    (self.plainText, self.feedOptions, self.pictureLimit) = (plainText, feedOptions, pictureLimit)
    (self.onUpgrade, self.trace) = (onUpgrade, trace)
  }
}

/// Limits on the articles that a feed keeps. Starred articles are always kept.
public struct Retention: Sendable, Equatable {
  /// Number of newest articles to keep; 0 for no limit.
  public var articles: Int
  /// Age in days up to which articles are kept; 0 for no limit.
  public var days: Int
  /// Days that unread articles are kept beyond the other limits; 0 for no limit.
  public var unreadDays: Int
  /// Days that a downloaded file is kept after it was played or its article was read; 0 for no
  /// limit.
  public var downloadDays: Int

  public init(articles: Int = 0, days: Int = 0, unreadDays: Int = 0, downloadDays: Int = 0) {
    (self.articles, self.days, self.unreadDays) = (articles, days, unreadDays)
    self.downloadDays = downloadDays
  }
}

extension FeedOptions {
  /// The limits of one feed; `nil` if the general ones apply. `unreadDays` is always that of all
  /// feeds.
  public var retention: Retention? {
    get {
      guard keepArticles != nil || keepDays != nil else { return nil }
      return Retention(articles: keepArticles ?? 0, days: keepDays ?? 0)
    }
    set { (keepArticles, keepDays) = (newValue?.articles, newValue?.days) }
  }
}
