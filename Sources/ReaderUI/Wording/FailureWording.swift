public import FeedModel
import Foundation

/// A failed refresh in a plain sentence: what happened, and what will be tried next.
public nonisolated struct FailureWording {
  public let dates: DateWording

  public init(dates: DateWording) { self.dates = dates }

  /// "lwn.net answered 503; next try 10:52".
  public func sentence(for feed: Feed) -> String? {
    guard let failure = feed.state.failure else { return nil }
    return happened(failure, subject: Self.subject(feed.url)) + "; " + next(feed.state, failure)
  }

  /// What was asked: its host, else the address as it is.
  public static func subject(_ url: String) -> String {
    let shown = Confusables.shown(url)
    return WebAddress(shown).host ?? shown
  }

  /// "lwn.net answered 503".
  public func happened(_ failure: RefreshFailure, subject: String) -> String {
    switch failure.kind {
    case .hostNotFound: return "\(subject) was not found in the DNS"
    case .connectionRefused: return "\(subject) refused the connection"
    case .connectTimedOut: return "\(subject) did not answer"
    case .connectionLost: return "\(subject) closed the connection too early"
    case .stalled: return "\(subject) stopped sending"
    case .proxy: return "The proxy did not let us through to \(subject)" + detail(failure)
    case .offline: return "There was no connection to the network"
    case .tls: return "The certificate of \(subject) was not accepted" + detail(failure)
    case .tooLarge: return "\(subject) sent more than a feed may hold"
    case .truncated: return "\(subject) sent only a part"
    case .badEncoding: return "\(subject) sent data that could not be decompressed"
    case .httpStatus:
      guard let status = failure.status else { return "\(subject) answered with an error" }
      switch status {
      case 404: return "\(subject) has no such page (404)"
      case 403: return "\(subject) does not let us in (403)"
      default: return "\(subject) answered \(status)"
      }
    case .rateLimited: return "\(subject) asks to be left alone for a while"
    case .gone: return "\(subject) says that this feed is gone for good (410)"
    case .unauthorized: return "\(subject) asks for a name and a password"
    case .tooManyRedirects: return "\(subject) sends us in a circle"
    case .forbiddenRedirect: return "\(subject) sends us where we do not go" + detail(failure)
    case .forbiddenAddress: return "\(subject) leads into a private network" + detail(failure)
    case .unsupportedScheme: return "Addresses of this kind are not fetched" + detail(failure)
    case .notAFeed: return "\(subject) sent something that is no feed" + detail(failure)
    case .noArticle:
      return "The page of \(subject) holds no article" + detail(failure)
    case .empty: return "\(subject) sent nothing"
    case .unreadableFile: return "The file could not be read" + detail(failure)
    case .programFailed: return "The program failed" + detail(failure)
    case .storage: return "The articles could not be stored" + detail(failure)
    }
  }

  /// "next try 10:52", or why there is none.
  public func next(_ state: FeedState, _ failure: RefreshFailure) -> String {
    if failure.kind == .gone { return "it is not asked again" }
    guard let date = state.nextCheckAt else { return "no next try is planned" }
    if date <= dates.now { return "next try soon" }
    return "next try \(dates.moment(date))"
  }

  /// "since yesterday 10:52, 4 attempts".
  public func since(_ failure: RefreshFailure) -> String {
    // Not asked itself: the host had had enough of others.
    if failure.count == 0 { return "since \(dates.moment(failure.since)), not asked" }
    let attempts = AmountWording.count(failure.count, "attempt", "attempts")
    return "since \(dates.moment(failure.since)), \(attempts)"
  }

  private func detail(_ failure: RefreshFailure) -> String {
    guard let detail = failure.detail, !detail.isEmpty else { return "" }
    return ": \(detail)"
  }
}
