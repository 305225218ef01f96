import Foundation

/// Accepts a permanent redirect (301, 308) after two identical answers at least 24 hours apart, or
/// at once if only the scheme becomes https. From https to http, only the user accepts it.
enum MovedAddress {
  static let confirmation = Duration.days(1)

  enum Decision: Equatable {
    case none
    /// An unconfirmed redirect, stored with the date of the first such answer.
    case pending(to: String, since: Date)
    case accept(String)
  }

  /// - Parameters:
  ///   - url: the requested address.
  ///   - permanentURL: the target of the answer if all redirects were permanent, otherwise `nil`.
  ///   - pending: the unconfirmed redirect of an earlier answer.
  static func decide(
    url: String, permanentURL: String?, pending: (to: String, since: Date)?, at now: Date
  ) -> Decision {
    guard let permanentURL, permanentURL != url else { return .none }
    if isSecureVariant(of: url, permanentURL) { return .accept(permanentURL) }
    guard let pending, pending.to == permanentURL else {
      return .pending(to: permanentURL, since: now)
    }
    // A clock that was set back must not make the wait endless.
    if pending.since > now { return .pending(to: permanentURL, since: now) }
    let isUnencrypted =
      WebAddress(url).scheme == "https" && WebAddress(permanentURL).scheme != "https"
    return now.time(since: pending.since) >= confirmation && !isUnencrypted
      ? .accept(permanentURL) : .pending(to: permanentURL, since: pending.since)
  }

  /// Returns the new address that a document names, which only the user accepts.
  /// - Parameters:
  ///   - document: `nil` if it has not changed.
  ///   - pending: the address of the last answer, if no redirect led to that answer.
  static func offer(
    of document: ParsedFeed?, url: String, at now: Date, _ pending: (to: String, since: Date)?
  ) -> (to: String, since: Date)? {
    guard let document else { return pending }
    guard let to = document.movedTo, to != url, WebAddress(to).isHTTP else { return nil }
    return (to, pending.flatMap { $0.to == to ? $0.since : nil } ?? now)
  }

  static func isSecureVariant(of url: String, _ other: String) -> Bool {
    let from = WebAddress(url)
    let to = WebAddress(other)
    guard from.scheme == "http", to.scheme == "https", from.host == to.host else { return false }
    let path = { (address: WebAddress) in address.path.isEmpty ? "/" : address.path }
    return path(from) == path(to) && from.query == to.query
      && from.userInfo == to.userInfo
      && (from.port == 80 && to.port == 443 || from.port == to.port)
  }
}
