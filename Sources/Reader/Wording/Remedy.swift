public import Foundation

/// The remedy for a feed's failure.
public enum Remedy: Sendable, Equatable {
  case wait
  case leaveAlone
  case signIn
  case editAddress
  case chooseHeadlines
  case useNewAddress(String)
  case unsubscribe
  case mendSource
  case examineCache

  /// Consecutive attempts after which a failing feed counts as dead.
  private static let deadAfter = 10
  /// Seconds without a success after which a failing feed counts as dead.
  private static let deadAge: TimeInterval = .days(30)

  /// Returns true if the feed has failed for so long that waiting does not help.
  public static func isDead(_ failure: RefreshFailure, at now: Date) -> Bool {
    failure.count >= deadAfter && now.timeIntervalSince(failure.since) > deadAge
  }

  /// Chooses the best remedy; `nil` if nothing is wrong.
  public init?(_ feed: Feed, at now: Date) {
    if let address = feed.state.movedTo {
      self = .useNewAddress(address)
    } else if let failure = feed.state.failure {
      self = Remedy(failure, at: now)
    } else {
      return nil
    }
  }

  /// Chooses the best remedy for a failure, without regard to the feed.
  public init(_ failure: RefreshFailure, at now: Date) {
    switch failure.kind {
    case .gone: self = .unsubscribe
    case .unauthorized: self = .signIn
    case .httpStatus where (400..<500).contains(failure.status ?? 0) && failure.status != 408:
      self = .editAddress
    case .pageChanged: self = .chooseHeadlines
    case .notAFeed where failure.detail == FailureDetail.signInPage.code: self = .signIn
    case .notAFeed where failure.detail == FailureDetail.robotCheck.code:
      self = Self.isDead(failure, at: now) ? .unsubscribe : .wait
    case .notAFeed, .unsupportedScheme, .forbiddenAddress, .forbiddenRedirect, .tooManyRedirects:
      self = .editAddress
    // After two attempts that did not find the host, a short network outage is unlikely.
    case .hostNotFound where failure.count > 1:
      self = Self.isDead(failure, at: now) ? .unsubscribe : .editAddress
    case .unreadableFile, .programFailed: self = .mendSource
    case .storage: self = .examineCache
    case .rateLimited: self = .leaveAlone
    case .offline: self = .wait
    default: self = Self.isDead(failure, at: now) ? .unsubscribe : .wait
    }
  }

  /// Returns the remedy for a shell. An address is never changed by removing the feed and adding
  /// another, which would lose the marks of its articles.
  /// - Parameter feed: the feed's number in commands.
  public func command(_ feed: Int64) -> String {
    switch self {
    case .wait, .leaveAlone: return "none needed; Weir will try again"
    case .signIn:
      return "set username and password-command for it under [feeds] in the configuration, or add "
        + "user and password to its address with e in the reader"
    case .editAddress:
      return "correct its address with e in the reader, which keeps its articles (weir discover "
        + "SITE looks for the new one)"
    case .chooseHeadlines:
      return "add the page again and choose among its headlines: the feed keeps its articles"
    case .useNewAddress:
      return "none needed for a confirmed redirect; e at ! in the reader uses the new address"
    case .unsubscribe: return "weir remove \(feed)"
    case .mendSource: return "correct the file or program that it comes from"
    case .examineCache: return "free some space or correct the permissions, then weir sync \(feed)"
    }
  }

  /// The remedy for a list of feeds that share it, without a full stop.
  public var advice: String {
    switch self {
    case .wait, .leaveAlone: return "Weir will try again"
    case .signIn: return "set username and password-command for it in the configuration"
    case .editAddress: return "check the address"
    case .chooseHeadlines: return "add the page again and choose among its headlines"
    case .useNewAddress: return "e at ! in the reader uses the new address"
    case .unsubscribe: return "weir remove"
    case .mendSource: return "correct the file or program"
    case .examineCache: return "free some space or correct the permissions"
    }
  }

  /// Groups of failing feeds by their remedy, in the order of the list.
  public enum Cause: Int, Sendable, CaseIterable {
    case account, address, headlines, newAddress, gone, source, database, retry

    /// Returns text like "The address doesn’t work (3)".
    public func title(_ count: Int) -> String {
      let text =
        switch self {
        case .account: "Needs a user name and password"
        case .address: "The address doesn’t work"
        case .headlines: "The page has changed"
        case .newAddress: "Has a new address"
        case .gone: "Gone, or failing for weeks"
        case .source: "Your own file or program failed"
        case .database: "The articles couldn’t be stored"
        case .retry: "Weir retries"
        }
      return "\(text) (\(AmountWording.grouped(count)))"
    }
  }

  public var cause: Cause {
    switch self {
    case .wait, .leaveAlone: .retry
    case .signIn: .account
    case .editAddress: .address
    case .chooseHeadlines: .headlines
    case .useNewAddress: .newAddress
    case .unsubscribe: .gone
    case .mendSource: .source
    case .examineCache: .database
    }
  }
}
