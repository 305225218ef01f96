public import FeedModel
public import Foundation

/// What helps a feed that does not come through: a function of its failure and of how long it lasts.
public nonisolated enum Remedy: Sendable, Equatable {
  /// Nothing needs doing: it is tried again by itself.
  case wait
  /// The host asked for peace, and gets it: asking earlier would not help.
  case leaveAlone
  /// The address asks for a name and a password.
  case signIn
  /// The address is wrong, or became so.
  case editAddress
  /// The origin has announced another address.
  case useNewAddress(String)
  /// It will not come back.
  case unsubscribe
  /// The file or program that it is read from is the user's own.
  case mendSource
  /// The cache itself refuses.
  case examineCache

  /// Attempts in a row after which a failing feed counts as dead.
  private static let deadAfter = 10
  /// Seconds without a success after which a failing feed counts as dead.
  private static let deadAge: TimeInterval = 30 * 86_400

  /// True where it has failed for so long that waiting is no answer.
  public static func isDead(_ failure: RefreshFailure, at now: Date) -> Bool {
    failure.count >= deadAfter && now.timeIntervalSince(failure.since) > deadAge
  }

  /// What helps most; nil where nothing is wrong.
  public init?(_ feed: Feed, at now: Date) {
    guard let failure = feed.state.failure else {
      guard let address = feed.state.movedTo else { return nil }
      self = .useNewAddress(address)
      return
    }
    if let address = feed.state.movedTo {
      self = .useNewAddress(address)
      return
    }
    self = Remedy(failure, at: now)
  }

  public init(_ failure: RefreshFailure, at now: Date) {
    switch failure.kind {
    case .gone: self = .unsubscribe
    case .unauthorized: self = .signIn
    case .httpStatus where (400..<500).contains(failure.status ?? 0) && failure.status != 408:
      self = .editAddress
    case .notAFeed, .unsupportedScheme, .forbiddenAddress, .forbiddenRedirect, .tooManyRedirects:
      self = .editAddress
    // A name that was not found twice was hardly a hiccup of the line.
    case .hostNotFound where failure.count > 1:
      self = Self.isDead(failure, at: now) ? .unsubscribe : .editAddress
    case .unreadableFile, .programFailed: self = .mendSource
    case .storage: self = .examineCache
    case .rateLimited: self = .leaveAlone
    case .offline: self = .wait
    default: self = Self.isDead(failure, at: now) ? .unsubscribe : .wait
    }
  }

  /// For somebody at a shell. No address is changed by removing one feed and adding another: what was read
  /// and starred would go with the old one.
  /// - Parameter feed: the number by which commands know it.
  public func command(_ feed: Int64) -> String {
    switch self {
    case .wait, .leaveAlone: return "none needed, it is tried again by itself"
    case .signIn:
      return "name its username and password-command under [feeds] in the configuration, or "
        + "correct its address with e in the reader"
    case .editAddress:
      return "correct its address with e in the reader, which keeps its articles (weir discover "
        + "SITE looks for the new one)"
    case .useNewAddress:
      return "none needed, taken over by itself once confirmed; U in the reader takes it now"
    case .unsubscribe: return "weir remove \(feed)"
    case .mendSource: return "mend the file or program that it is read from"
    case .examineCache: return "free some space or mend permissions, then weir sync \(feed)"
    }
  }

  /// For a list of feeds that share it, without a full stop.
  public var advice: String {
    switch self {
    case .wait, .leaveAlone: return "tried again by itself"
    case .signIn: return "name its username and password-command in the configuration"
    case .editAddress: return "check the address"
    case .useNewAddress: return "taken over by itself once confirmed"
    case .unsubscribe: return "weir remove"
    case .mendSource: return "mend the file or program"
    case .examineCache: return "free some space or mend permissions"
    }
  }

  /// Whether it helps several feeds at once; an address is one feed's.
  var fitsSeveral: Bool {
    switch self {
    case .signIn, .editAddress, .useNewAddress: return false
    case .wait, .leaveAlone, .unsubscribe, .mendSource, .examineCache: return true
    }
  }

  /// For the problems screen: the key and what it does.
  func hint(_ keys: (Command) -> String?) -> String? {
    func key(_ command: Command, _ does: String) -> String? {
      keys(command).map { "\($0) \(does)" }
    }
    switch self {
    case .wait: return key(.refresh, "tries it now")
    case .leaveAlone: return "Nothing needs doing"
    case .signIn: return key(.editAddress, "takes https://name:password@host/…")
    case .editAddress: return key(.editAddress, "corrects the address")
    case .useNewAddress(let address): return key(.useNewAddress, "takes \(address)")
    case .unsubscribe: return key(.unsubscribe, "unsubscribes")
    case .mendSource: return key(.refresh, "tries it again once that is mended")
    case .examineCache: return key(.refresh, "tries it again")
    }
  }
}
