@_exported public import FeedStore
import Foundation

/// A failed refresh as a plain sentence, with the failure and the next attempt.
public struct FailureWording {
  public let dates: DateWording

  public init(dates: DateWording) { self.dates = dates }

  /// Returns text like "lwn.net answered 503; trying again 10:52".
  public func sentence(for feed: Feed) -> String? {
    guard let failure = feed.state.failure else { return nil }
    if failure.kind == .rateLimited { return HostPause.all([feed]).first?.sentence(dates) }
    return happened(failure, at: feed.url) + "; " + next(feed.state, failure)
  }

  /// Returns the host of an address, or the address itself if it has no host.
  public static func subject(_ url: String) -> String {
    let shown = Confusables.shown(url)
    return WebAddress(shown).host ?? shown
  }

  public func happened(_ failure: RefreshFailure, at url: String) -> String {
    happened(failure, subject: Self.subject(url))
  }

  /// Returns text like "lwn.net answered 503".
  /// - Parameter host: the host that failed; `nil` for several hosts with the same failure.
  public func happened(_ failure: RefreshFailure, subject host: String?) -> String {
    let subject = host ?? "the server"
    let detail =
      failure.detail.map { ["", host].contains($0) ? "" : ": \(DetailWording.words($0))" } ?? ""
    switch failure.kind {
    case .hostNotFound:
      return host.map { "There is no server called \($0)" } ?? "There are no servers of these names"
    case .connectionRefused: return "\(subject) refused the connection"
    case .connectTimedOut: return "\(subject) didn\u{2019}t answer"
    case .connectionLost: return "\(subject) closed the connection"
    case .stalled: return "\(subject) timed out"
    case .proxy where failure.detail == FailureDetail.proxyUnreachable.code:
      return "The proxy for \(subject) cannot be reached"
    case .proxy: return "The proxy refused the connection to \(subject)" + detail
    case .offline: return "You were offline"
    case .tls: return tls(failure.detail ?? "", subject)
    case .tooLarge: return "\(subject) sent a feed that is too large"
    case .headersTooLarge: return "\(subject) sent headers that are too large"
    case .tooMuchFraming: return "\(subject) sent data without end"
    case .tooSlow: return "\(subject) sent its answer too slowly"
    case .truncated: return "\(subject) stopped in the middle of its answer"
    case .notHTTP: return "\(subject) sent something that isn\u{2019}t HTTP"
    case .badEncoding: return "\(subject) sent data that could not be decompressed"
    case .httpStatus:
      guard let status = failure.status else { return "\(subject) answered with an error" }
      switch status {
      case 404: return "\(subject) has no such page (404)"
      case 403: return "\(subject) refused access (403)"
      default: return "\(subject) answered \(status)"
      }
    case .rateLimited: return "\(subject) asks for a pause"
    case .gone: return "\(subject) says this feed is gone (410)"
    case .unauthorized: return "\(subject) needs a user name and password"
    case .tooManyRedirects: return "\(subject) keeps redirecting to itself"
    case .forbiddenRedirect:
      return "\(subject) redirects to an address that Weir doesn\u{2019}t open" + detail
    case .forbiddenAddress: return "\(subject) leads to a private network" + detail
    case .unsupportedScheme: return "That isn\u{2019}t a web address"
    case .notAFeed: return Self.notAFeed(failure.detail, subject)
    case .pageChanged: return "The page at \(subject) has changed: its headlines are gone"
    case .notAList: return "\(subject) sent no usable list of feeds" + detail
    case .noArticle: return "No article found on that page" + detail
    case .empty: return "\(subject) sent nothing"
    case .unreadableFile: return "The file could not be read" + detail
    case .programFailed:
      if case .notAllowed = failure.detail.map(FailureDetail.init(code:)) {
        return "The program was not run" + detail
      }
      return "The program failed" + detail
    case .storage: return "The articles could not be stored" + detail
    }
  }

  /// The remedy for an address that is not subscribed to yet and needs a user name and password.
  public static let credentialsAdvice =
    "Write them in the address before the host, as in user:password@host, or set them in the "
    + "configuration."

  /// Returns text like "trying again 10:52", or the reason for not trying again.
  public func next(_ state: FeedState, _ failure: RefreshFailure) -> String {
    if failure.kind == .gone { return "Weir won\u{2019}t ask again" }
    guard let date = state.nextCheckAt else { return "Weir won\u{2019}t try again" }
    if date <= dates.now { return "trying again soon" }
    return "trying again \(dates.moment(date))"
  }

  /// Returns the time of a feed's first failure; "never fetched" if the feed never succeeded.
  public func since(_ feed: Feed) -> String {
    guard let failure = feed.state.failure else { return "" }
    guard feed.state.succeededAt == nil else { return since(failure) }
    return "never fetched, " + AmountWording.count(failure.count, "attempt", "attempts")
  }

  /// Returns text like "since yesterday 10:52, 4 attempts".
  public func since(_ failure: RefreshFailure) -> String {
    // The feed itself was not requested, since its host refused other requests.
    if failure.count == 0 { return "since \(dates.moment(failure.since)), not tried" }
    let attempts = AmountWording.count(failure.count, "attempt", "attempts")
    return "since \(dates.moment(failure.since)), \(attempts)"
  }

  /// Returns text like "This isn’t a feed (plain text)".
  private static func notAFeed(_ detail: String?, _ subject: String) -> String {
    guard let detail, !detail.isEmpty else { return "This isn\u{2019}t a feed" }
    let words = DetailWording.words(detail)
    switch FailureDetail(code: detail) {
    case .webPage: return "This is \(words)"
    case .robotCheck: return "\(subject) asks for a browser"
    case .signInPage: return "\(subject) asks to sign in"
    default: return "This isn\u{2019}t a feed (\(words))"
    }
  }

  /// Parts of OpenSSL's messages about certificates, and their meaning in plain words.
  private static let certificateFaults = [
    ("self-signed", "is signed by an authority that this machine doesn\u{2019}t know"),
    ("self signed", "is signed by an authority that this machine doesn\u{2019}t know"),
    ("issuer", "is signed by an authority that this machine doesn\u{2019}t know"),
    ("expired", "has expired"), ("not yet valid", "isn\u{2019}t valid yet"),
    ("alternative certificate subject name", "is for another name"),
    ("does not match", "is for another name"), ("revoked", "was revoked"),
  ]

  /// Parts of the TLS library's messages about handshakes, and their meaning. The log has the whole
  /// message.
  private static let handshakeFaults = [
    ("wrong version number", "doesn\u{2019}t speak TLS at this address"),
    ("packet length too long", "doesn\u{2019}t speak TLS at this address"),
    ("http request", "doesn\u{2019}t speak TLS at this address"),
    ("unsupported protocol", "only offers an outdated kind of encryption"),
    ("protocol version", "only offers an outdated kind of encryption"),
    ("no protocols available", "only offers an outdated kind of encryption"),
    ("legacy", "only offers an outdated kind of encryption"),
    ("too small", "only offers an outdated kind of encryption"),
    ("too weak", "only offers an outdated kind of encryption"),
    ("sslv3 alert handshake failure", "shares no kind of encryption with Weir"),
    ("handshake failure", "shares no kind of encryption with Weir"),
    ("no shared cipher", "shares no kind of encryption with Weir"),
    ("unrecognized name", "doesn\u{2019}t know this site"),
    ("certificate required", "asks for a certificate of yours"),
    ("bad certificate", "asks for a certificate of yours"),
    ("unexpected eof", "ended the connection before it was secure"),
    ("SSL_ERROR_SYSCALL", "ended the connection before it was secure"),
    ("reset by peer", "ended the connection before it was secure"),
  ]

  /// Returns the remedy for a failed secure connection as a sentence.
  static func tlsRemedy(_ detail: String, host: String) -> String {
    let certificate = certificateFaults.first { detail.contains($0.0) }?.1 ?? ""
    let handshake = handshakeFaults.first { detail.contains($0.0) }?.1 ?? ""
    if handshake.contains("TLS") { return "If that is meant, write http://\(host)." }
    if certificate.contains("authority") {
      return "Add the authority to the system\u{2019}s certificates."
    }
    if certificate.contains("another name") { return "Use the address for which it was made." }
    return certificate.contains("yet")
      ? "Check the clock of this machine." : "Whoever runs the server has to renew it."
  }

  private func tls(_ detail: String, _ subject: String) -> String {
    if let fault = Self.certificateFaults.first(where: { detail.contains($0.0) }) {
      return "\(subject)\u{2019}s certificate \(fault.1)"
    }
    if let fault = Self.handshakeFaults.first(where: { detail.contains($0.0) }) {
      return "\(subject) \(fault.1)"
    }
    return "No secure connection to \(subject) could be made"
  }
}
