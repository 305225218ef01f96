import Foundation

/// The state of remote accounts, in words.
public struct AccountWording {
  public let dates: DateWording

  public init(dates: DateWording) { self.dates = dates }

  /// Returns text like "alice at rss.example.org".
  public static func owner(user: String, url: String) -> String {
    "\(user) at \(FailureWording.subject(url))"
  }

  public static func kind(_ kind: Account.Kind) -> String {
    switch kind {
    case .googleReader: return "Google Reader API"
    case .fever: return "Fever API"
    }
  }

  // MARK: Failures

  /// Returns a failure without a full stop, like "rss.example.org is not available now (503)".
  public func happened(_ failure: AccountFailure, url: String) -> String {
    let host = FailureWording.subject(url)
    switch failure.kind {
    case .noSecret: return "Weir doesn\u{2019}t know the password for \(host)" + detail(failure)
    case .wrongCredentials: return "\(host) doesn\u{2019}t accept this user name and password"
    case .noSuchAPI where failure.isPage: return "\(host) sent a web page, not an answer of its API"
    case .noSuchAPI:
      return "\(host) has no such API at this address, or it\u{2019}s off" + status(failure)
    case .moved: return "\(host) redirects to another address" + detail(failure)
    case .busy where failure.status == 429: return "\(host) asks us to slow down"
    case .busy: return "\(host) is not available now" + status(failure)
    case .refused where (failure.status ?? 0) >= 500:
      return "\(host) has a problem" + status(failure)
    case .refused: return "\(host) refused the request" + status(failure) + detail(failure)
    case .unusable: return "\(host) sent an answer that Weir can\u{2019}t read" + detail(failure)
    case .unsupported: return "\(host) can\u{2019}t do that"
    case .emptyLists: return "\(host) sent empty lists; nothing was changed"
    case .unreachable:
      let (kind, text) = Self.unreachable(failure.detail)
      return FailureWording(dates: dates).happened(
        RefreshFailure(kind: kind ?? .connectionLost, detail: text, since: failure.since),
        subject: host)
    }
  }

  /// Returns the remedy as a sentence with a full stop.
  /// - Parameters:
  ///   - url: the address of the server, if known.
  ///   - isNew: true while the account is being added.
  public static func remedy(
    _ failure: AccountFailure, url: String? = nil, isNew: Bool = false
  ) -> String {
    switch failure.kind {
    // A password given by hand would replace the program that failed.
    case .noSecret where failure.detail?.isEmpty == false:
      return
        "Once that\u{2019}s corrected, \u{201C}weir account sync\u{201D} asks for it again, or r in the reader."
    case .noSecret:
      return
        "Enter it with \u{201C}weir account password\u{201D}, or with P in the list of accounts."
    case .wrongCredentials:
      return
        "FreshRSS and Miniflux use a separate password for other programs: set it there "
        + "(FreshRSS: Settings, Profile; Miniflux: Settings, Integrations) and give that one."
    case .noSuchAPI where failure.isPage && !isNew:
      return "If this network asks for a sign-in, sign in with a browser. Weir tries again later."
    case .noSuchAPI:
      return "Check the address (FreshRSS: https://HOST/api/greader.php or \u{2026}/api/fever.php; "
        + "Miniflux: https://HOST or https://HOST/fever), and switch the API on there (FreshRSS: "
        + "Settings, Authentication, \u{201C}Allow API access\u{201D}; Miniflux: Settings, Integrations)."
    case .moved:
      return isNew
        ? "Use the new address." : "Remove the account, and add it with the new address."
    case .busy where failure.status != 429 && isNew:
      return "FreshRSS also says this while its API is off: Settings, Authentication, "
        + "\u{201C}Allow API access\u{201D}. Otherwise try again later."
    case .busy: return "Weir tries again later."
    case .refused where (failure.status ?? 0) >= 500:
      return isNew ? "Try again later." : "Weir tries again later."
    case _ where mayNeedTLS(failure, url):
      return "If the server speaks TLS, write https:// in the address."
    case .refused, .unusable:
      return "Check the address; it may be another server’s, or another API’s."
    case .unsupported: return "Do it on the server\u{2019}s web site."
    case .emptyLists: return "If the lists of the next sync are empty too, Weir applies them."
    case .unreachable where unreachable(failure.detail).kind == .tls:
      return FailureWording.tlsRemedy(
        unreachable(failure.detail).text,
        host: url.flatMap { WebAddress(Confusables.shown($0)).authority } ?? "\u{2026}")
    case .unreachable:
      return isNew ? "Check the address and the connection." : "Weir tries again later."
    }
  }

  /// Returns a failure and its remedy as sentences.
  public func sentences(
    about failure: AccountFailure, url: String, isNew: Bool = false
  ) -> String { "\(happened(failure, url: url)). \(Self.remedy(failure, url: url, isNew: isNew))" }

  /// Returns true if a server may speak TLS only and was asked without it: it answers with bytes
  /// of TLS, closes the connection, or says so, as nginx and Go do with a 400.
  private static func mayNeedTLS(_ failure: AccountFailure, _ url: String?) -> Bool {
    let kind = unreachable(failure.detail).kind
    let isClosed = kind == .connectionLost && url?.hasPrefix("http://") ?? false
    let isSaid = failure.status == 400 && failure.detail?.contains("HTTPS") ?? false
    return kind == .notHTTP || isClosed || isSaid
  }

  /// Returns the kind of failure of a connection and the text of the TLS library.
  private static func unreachable(_ detail: String?) -> (kind: RefreshFailure.Kind?, text: String) {
    let parts = (detail ?? "").split(separator: ":", maxSplits: 1).map(String.init)
    return (
      parts.first.flatMap { RefreshFailure.Kind(rawValue: $0) }, parts.count > 1 ? parts[1] : ""
    )
  }

  private func status(_ failure: AccountFailure) -> String {
    failure.status.map { " (\($0))" } ?? ""
  }

  private func detail(_ failure: AccountFailure) -> String {
    guard let detail = failure.detail, !detail.isEmpty else { return "" }
    let words = DetailWording.words(detail)
    return ": " + (words.hasSuffix(".") ? String(words.dropLast()) : words)
  }

  // MARK: States

  /// Returns text like "synced 10:40; next 10:55", "syncing", or a failure with its next try. If
  /// changes wait, the time of the next attempt to send them replaces that of the next sync.
  public func state(_ account: Account) -> String {
    let state = account.state
    if state.isSyncing { return "syncing" }
    if let failure = state.failure {
      let next = state.nextSyncAt.map { "; trying again \(dates.moment($0))" } ?? ""
      return happened(failure, url: account.url) + (sending(state.outbox) ?? next)
    }
    if state.isRequested { return "waiting to sync" }
    guard let synced = state.syncedAt else { return "not synced yet" }
    let next = state.nextSyncAt.map { "; next \(dates.moment($0))" } ?? ""
    return "synced \(dates.moment(synced))" + (sending(state.outbox) ?? next)
      + (state.refusesTags ? "; \(Self.tagsStay)" : "") + rebuilt(state)
  }

  /// Returns text like "; restored or set up again 10:40: your marks were sent again (u undoes)"
  /// for a week; otherwise an empty text.
  private func rebuilt(_ state: AccountState) -> String {
    guard let at = state.rebuiltAt, dates.now.timeIntervalSince(at) < Double.days(7) else {
      return ""
    }
    return "; restored or set up again \(dates.moment(at)): your marks were sent again (u undoes)"
  }

  public static let tagsStay = "tags stay in Weir; the server accepts none"

  /// Returns the reason why tags stay here: "only in Weir: FreshRSS has a folder called News";
  /// `nil` if they were sent or belong to no account.
  public static func local(_ tags: Set<LocalTags>) -> String? {
    let reasons = tags.map { local in
      switch local.reason {
      case .fever: return "\(local.account) speaks Fever, which has no tags"
      case .server: return "\(local.account) accepts no tags"
      case .folder(let name): return "\(local.account) has a folder called \(name)"
      }
    }.sorted()
    return reasons.isEmpty ? nil : "only in Weir: \(reasons.joined(separator: "; "))"
  }

  /// Returns text like "; 3 changes will be sent 10:41"; `nil` if no change waits.
  private func sending(_ outbox: OutboxCounts) -> String? {
    guard outbox.waiting > 0 else { return nil }
    let changes = "; \(AmountWording.changes(outbox.waiting)) will be sent"
    guard let time = outbox.nextTry, time > dates.now else { return changes + " next" }
    return "\(changes) \(dates.moment(time))"
  }

  /// Returns text like "“Planet” was unsubscribed there, with 3 starred articles, now in Kept".
  public static func ended(_ subscription: EndedSubscription, _ account: Account) -> String {
    let stars = AmountWording.count(subscription.starred, "starred article", "starred articles")
    let remedy = account.kind == .fever ? "" : " (u in the reader subscribes again)"
    return "\u{201C}\(subscription.name)\u{201D} was unsubscribed there, with \(stars), now in Kept"
      + remedy
  }

  /// Returns text like "3 to send, 1 failed, 2 refused"; `nil` if nothing waits.
  public static func outbox(_ counts: OutboxCounts) -> String? {
    let parts = AmountWording.some([
      (counts.pending, "to send"), (counts.failed, "failed"), (counts.refused, "refused"),
    ])
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  public static func waiting(_ count: Int) -> String {
    "\(AmountWording.changes(count)) will be sent next time"
  }

  // MARK: The outbox

  /// Returns text like "read", "unstarred" or "renamed to “News”".
  public static func change(_ change: OutboxEntry.Change) -> String {
    switch change {
    case .marked(let mark, let isSet): return isSet ? mark.words.with : mark.words.without
    case .tagged(let tag, true): return "tag #\(tag) added"
    case .tagged(let tag, false): return "tag #\(tag) removed"
    case .subscribed(true): return "subscribed"
    case .subscribed(false): return "unsubscribed"
    case .renamed(let name): return "renamed to \u{201C}\(name)\u{201D}"
    case .moved(""): return "moved out of its folder"
    case .moved(let folder): return "moved to \(folder)"
    case .folderRenamed(let name): return "folder renamed to \u{201C}\(name)\u{201D}"
    case .folderRemoved: return "folder removed"
    }
  }

  /// Returns text like "failed, 3 attempts; trying again 10:52: …".
  public func state(_ entry: OutboxEntry) -> String {
    let why = entry.detail.map { ": \(reason($0))" } ?? ""
    switch entry.state {
    case .pending: return "waiting to be sent since \(dates.moment(entry.changedAt))"
    case .failed:
      let attempts = AmountWording.count(entry.attempts, "attempt", "attempts")
      let next = entry.nextTry.map { "; trying again \(dates.moment($0))" } ?? ""
      return "failed, \(attempts)\(next)\(why)"
    case .refused: return "refused by the server\(why)"
    }
  }

  /// Returns the reason why a change was not sent. Messages of servers are not changed.
  public func reason(_ detail: String) -> String {
    if case (let kind?, let text) = Self.unreachable(detail) {
      return FailureWording(dates: dates).happened(
        RefreshFailure(kind: kind, detail: text, since: dates.now), subject: "the server")
    }
    switch AccountFailure.Kind(rawValue: detail) {
    case .wrongCredentials: return "the server doesn\u{2019}t accept the password"
    case .noSecret: return "Weir doesn\u{2019}t know the password"
    case .unsupported: return "the server can\u{2019}t make this change"
    default: return status(detail) ?? DetailWording.words(detail)
    }
  }

  /// Returns text for an HTTP status, alone or before the start of an answer; otherwise `nil`.
  private func status(_ detail: String) -> String? {
    let parts = detail.split(separator: ":", maxSplits: 1)
    guard let first = parts.first, first.utf8.count == 3, let status = Int(first) else {
      return nil
    }
    switch status {
    case 200..<300: return "a web page came in place of an answer"
    case 429: return "the server asked us to slow down"
    case 503: return "the server was not available (503)"
    case 500...: return "the server has a problem (\(detail))"
    default:
      guard parts.count > 1 else { return "the server answered \(status)" }
      return "\(status): " + DetailWording.words(String(parts[1].drop { $0 == " " }))
    }
  }
}

extension AccountFailure {
  fileprivate var isPage: Bool { (200..<300).contains(status ?? 0) }
}
