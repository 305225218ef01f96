/// Errors of the cache, undone changes and results of refreshes, in words.
public enum StoreWording {
  /// Returns the line that is shown while the database is opened.
  public static func opening(_ step: UpgradeStep, canQuit: Bool) -> String {
    (sentence(step) ?? "Opening the database") + (canQuit ? " (q quits)" : "")
  }

  /// Returns a wait or an upgrade step while the database is opened, in words; `nil` for the end.
  public static func sentence(_ step: UpgradeStep) -> String? {
    switch step {
    case .waitingForUpgrade: "Waiting for another Weir process to upgrade the database"
    case .waitingForLock: "Waiting for another program to release the database"
    case .copying(let bytes):
      "Updating the database: copying it first (\(AmountWording.bytes(Double(bytes)))) \u{2026}"
    case .withoutCopy(let bytes):
      "The disk has no room for a copy of the database (\(AmountWording.bytes(Double(bytes)))); "
        + "it is updated without one."
    case .migrating(let number, let count):
      "Updating the database: step \(number) of \(count) \u{2026}"
    case .ended: nil
    }
  }

  /// Returns an error of the cache as a sentence without a full stop.
  public static func sentence(_ error: StoreError) -> String {
    switch error {
    case .newerSchema: return "A newer Weir made this database; nothing was changed"
    case .readOnly(let path): return "\(path) cannot be written to; nothing was changed"
    case .diskFull: return "The disk is full; nothing was changed"
    case .diskFailed(let detail): return "The disk failed (\(words(detail))); nothing was changed"
    case .corrupt: return "The database is damaged; \u{201C}weir doctor\u{201D} says more"
    case .cannotOpen(let path, let detail): return "\(path) cannot be opened (\(words(detail)))"
    case .busy: return "Another program is using the database; try again"
    case .inUse(let process):
      return "Another Weir has the database open (process \(process)); quit it first"
    case .exists(let path): return "\(path) already exists"
    case .foreignSchema(let found):
      let names = found.prefix(3).joined(separator: ", ") + (found.count > 3 ? " \u{2026}" : "")
      return "The database has another schema than Weir\u{2019}s (\(names)); \u{201C}weir doctor "
        + "--repair\u{201D} moves your feeds and articles to a new one"
    case .programs: return "The file contains programs; nothing was changed"
    case .fileRemoved(let path):
      return "\(path) was removed or replaced, so no change is saved; write a copy with "
        + ":save-database before you quit, then restore it with \u{201C}weir restore\u{201D}"
    case .notACache(let path): return "\(path) isn\u{2019}t a Weir database"
    case .notFound: return "It\u{2019}s no longer there"
    case .folderExists: return "There is already a folder with that name"
    case .fixedSubscriptions(let account):
      return "\(account) speaks Fever, which can’t change subscriptions, names or folders; "
        + "do it on the server\u{2019}s web site"
    case .accountsFolder:
      return
        "That folder belongs to an account; move the feed there in the list of feeds to subscribe "
        + "to it at the account\u{2019}s server"
    case .accountsAddress:
      return "This feed belongs to an account: change its address at the account\u{2019}s server"
    case .accountExists: return "You already have that account"
    case .alreadySubscribed: return "You already have that feed"
    case .notAllowed:
      return "Add programs and files with \u{201C}weir add\u{201D} or \u{201C}weir import "
        + "--with-programs\u{201D}"
    case .refusedValue(let detail), .other(let detail): return "Database error: \(words(detail))"
    }
  }

  /// Returns the detail of an error without a full stop; SQLite's messages are not changed.
  public static func words(_ detail: StoreError.Detail) -> String {
    switch detail {
    case .said(let text): text
    case .code(let code): "SQLite error \(code)"
    case .noSuchFile: "there is no such file"
    case .notARegularFile: "not a regular file"
    case .sameFile: "it is the database itself"
    case .invalidSchema: "its schema is not valid"
    case .incompleteSchema: "its schema is incomplete"
    case .nothingReadable: "nothing in it can be read"
    case .unreadablePages: "some of its pages cannot be read"
    case .missingReferences(let table): "rows of \(table) refer to rows that do not exist"
    case .unknownJournalEntry: "unknown journal entry"
    case .noResult: "no result"
    }
  }

  /// Returns a sentence about the feeds of a deleted folder.
  public static func keptFeeds(_ count: Int) -> String {
    switch count {
    case 0: "it was empty"
    case 1: "its feed is kept"
    default: "its \(AmountWording.grouped(count)) feeds are kept"
    }
  }

  /// Returns a question like "Undo: remove 76 feeds?".
  public static func undoQuestion(_ entry: JournalEntry) -> String {
    switch entry.kind {
    case .subscribe: "Undo: remove \(feeds(entry))?"
    case .unsubscribe: "Undo: subscribe to \(feeds(entry)) again?"
    case .markRead, .markAllRead: "Undo: mark \(articles(entry)) unread?"
    case .markUnread: "Undo: mark \(articles(entry)) read?"
    case .star: "Undo: unstar \(articles(entry))?"
    case .unstar: "Undo: star \(articles(entry))?"
    case .later: "Undo: remove \(articles(entry)) from Later?"
    case .notLater: "Undo: keep \(articles(entry)) for later?"
    case .delete: "Undo: bring back \(articles(entry))?"
    case .sendAgain:
      "Undo: take over the states of \(articles(entry)) at \(entry.subject ?? "")?"
    default: "Undo: \(change(entry))?"
    }
  }

  private static func feeds(_ entry: JournalEntry) -> String { AmountWording.feeds(entry.count) }

  private static func articles(_ entry: JournalEntry) -> String {
    AmountWording.articles(entry.count)
  }

  /// Returns text like "12 articles marked read and 3 later changes".
  public static func changes(_ newest: [JournalEntry]) -> String {
    let later = AmountWording.count(newest.count - 1, "later change", "later changes")
    return (newest.last.map(change) ?? "") + (newest.count > 1 ? " and \(later)" : "")
  }

  /// Returns text like "12 articles marked read".
  public static func change(_ entry: JournalEntry) -> String {
    let articles = articles(entry)
    let one = entry.count == 1 ? entry.subject.map { "\u{201C}\($0)\u{201D}" } : nil
    switch entry.kind {
    case .open, .markRead, .markAllRead: return "\(one ?? articles) marked read"
    case .markUnread: return "\(one ?? articles) marked unread"
    case .star: return "\(one ?? articles) starred"
    case .unstar: return "\(one ?? articles) unstarred"
    case .later: return "\(one ?? articles) kept for later"
    case .notLater: return "\(one ?? articles) removed from Later"
    case .delete: return "\(one ?? articles) deleted"
    case .snooze: return "\(one ?? articles) snoozed"
    case .wake: return "\(one ?? articles) woken"
    case .tag: return "tags of \(one ?? articles)"
    case .editFeed: return "change to \(one ?? "a feed")"
    case .moveFeed, .moveFolder, .reorder: return "\(one ?? "a feed") moved"
    case .editFolder: return "folder \(one ?? "") edited"
    case .renameFolder: return "folder \(one ?? "") renamed"
    case .deleteFolder: return "folder \(one ?? "") deleted"
    case .unsubscribe:
      return "unsubscribed from \(one ?? feeds(entry))"
    case .listAdded: return list(entry, "added", "to the subscriptions")
    case .listDropped: return list(entry, "removed", "from the subscriptions")
    case .sendAgain: return "marks of \(articles) sent to \(entry.subject ?? "") again"
    case .subscribe: return "\(feeds(entry)) added"
    case .removedElsewhere: return losses(Losses(entry.subject))
    case .joinFolder: return "folder \(entry.subject ?? "") joined"
    case .saveSearch: return "search \(one ?? "") saved"
    case .renameSearch: return "search \(one ?? "") renamed"
    case .removeSearch: return "search \(one ?? "") removed"
    case .addRule, .editRule, .enableRule, .disableRule, .removeRule: return rule(entry)
    }
  }

  /// Returns text like "“Planet” added 3 feeds to the subscriptions".
  private static func list(_ entry: JournalEntry, _ what: String, _ place: String) -> String {
    "\u{201C}\(entry.subject ?? "")\u{201D} \(what) \(feeds(entry)) \(place)"
  }

  /// Returns text like "laptop removed 40 feeds, 200 stars".
  private static func losses(_ losses: Losses?) -> String {
    let parts = Losses.Kind.allCases.compactMap { kind -> String? in
      guard let count = losses?[kind], count > 0 else { return nil }
      return switch kind {
      case .feeds: AmountWording.feeds(count)
      case .stars: AmountWording.count(count, "star", "stars")
      case .later: AmountWording.count(count, "article kept for later", "articles kept for later")
      case .tags: AmountWording.count(count, "tag", "tags")
      case .articles: AmountWording.articles(count)
      case .searches: AmountWording.count(count, "saved search", "saved searches")
      case .rules: AmountWording.count(count, "rule", "rules")
      }
    }
    let name = losses?.name ?? ""
    return "\(name.isEmpty ? "another machine" : name) removed \(parts.joined(separator: ", "))"
  }

  /// Returns text like "rule “deals” added, 214 articles changed".
  private static func rule(_ entry: JournalEntry) -> String {
    let what =
      switch entry.kind {
      case .addRule: "added"
      case .enableRule: "enabled"
      case .disableRule: "disabled"
      case .removeRule: "removed"
      default: "edited"
      }
    return "rule \u{201C}\(entry.subject ?? "")\u{201D} \(what)"
      + (entry.count > 0 ? ", \(articles(entry)) changed" : "")
  }

  /// Returns text like "12 feeds, 7 new".
  public static func result(_ request: RefreshRequest) -> String {
    let new =
      request.newArticles == 0
      ? "nothing new" : "\(AmountWording.grouped(request.newArticles)) new"
    return "\(AmountWording.feeds(request.total)), \(new)"
  }

  /// Returns text like "3 feeds" (if all failed) or "3 of 12 feeds".
  public static func failed(_ count: Int, of total: Int) -> String {
    let feeds = AmountWording.feeds(total)
    return count == total ? feeds : "\(AmountWording.grouped(count)) of \(feeds)"
  }
}

/// The limits up to which articles of a feed are kept: "500 articles", "90 days", both, or none.
public enum RetentionWording {
  /// Returns the limits as text; "all" if everything is kept; empty for `nil`.
  public static func text(_ retention: Retention?) -> String {
    guard let retention else { return "" }
    let parts = [
      amount(retention.articles, "article"), amount(retention.days, "day"),
    ].compactMap { $0 }
    return parts.isEmpty ? "all" : parts.joined(separator: ", ")
  }

  /// Returns an amount without a separator between thousands, as `read` expects it.
  private static func amount(_ number: Int, _ noun: String) -> String? {
    number > 0 ? "\(number) \(noun)\(number == 1 ? "" : "s")" : nil
  }

  /// The meaning of a text; if `retention` is `nil`, the default applies.
  public struct Answer: Equatable {
    public var retention: Retention?
  }

  /// Parses a text; `nil` if it is invalid.
  public static func read(_ text: String) -> Answer? {
    let words = text.lowercased().split { $0 == " " || $0 == "," }.map(String.init)
    if words.isEmpty { return Answer(retention: nil) }
    if words == ["all"] { return Answer(retention: Retention()) }
    var retention = Retention()
    var index = 0
    while index + 1 < words.count {
      guard let number = Int(words[index]), (1...1_000_000).contains(number) else { return nil }
      switch words[index + 1].first {
      case "a": retention.articles = number
      case "d": retention.days = number
      default: return nil
      }
      index += 2
    }
    return index == words.count ? Answer(retention: retention) : nil
  }
}
