// This folder has the rules that go beyond one exchange: whether a host may be asked, when a feed
// is checked next, and when a feed has moved.

import Foundation
import Synchronization

/// Keeps the state of each host, from its answers and stored rows. Its keys are
/// `WebAddress.hostKey`s.
///
/// A refusal applies to one address. A second refused address extends the back-off to the host, and
/// a second refused host to the registrable domain, until any of its hosts answers well.
final class HostRegistry: Sendable {
  private struct State {
    var hosts: [String: HostState] = [:]
    /// The hosts of each registrable domain that have refused since its last good answer.
    var refusedHosts: [String: Set<String>] = [:]
  }

  private let state = Mutex(State())

  init() {}

  /// Returns the end of a host's or its domain's back-off and the refusing status.
  func pause(of host: String, at now: Date) -> (until: Date, status: Int)? {
    state.withLock { state in
      if let known = state.hosts[host], let until = known.pause(at: now) {
        return (until, known.status ?? 429)
      }
      guard let domain = RegistrableDomain.of(host), let hosts = state.refusedHosts[domain],
        hosts.count > 1
      else { return nil }
      let pauses = hosts.compactMap { name in
        state.hosts[name].flatMap { known in
          known.othersWait(at: now).map { (until: $0, status: known.status ?? 429) }
        }
      }
      return pauses.max { $0.until < $1.until }
    }
  }

  /// Returns the end of an address's back-off: its own, or that of its host or domain.
  func pause(ofAddress url: String, at now: Date) -> (until: Date, status: Int)? {
    let host = WebAddress(url).hostKey ?? ""
    let own = state.withLock { state in
      state.hosts[host].flatMap { known in
        known.wait(of: url, at: now).map { (until: $0, status: known.status ?? 429) }
      }
    }
    return own ?? pause(of: host, at: now)
  }

  /// Returns the ends of hosts' own back-offs.
  func pauses(at now: Date) -> [String: Date] {
    state.withLock { state in state.hosts.compactMapValues { $0.pause(at: now) } }
  }

  func asked(_ host: String, at now: Date) {
    state.withLock { $0.hosts[host, default: HostState()].asked(at: now) }
  }

  /// Records an answer that begins a back-off: a 429, a 503, or a 403 that means 429.
  /// - Parameters:
  ///   - host: the host that answered in the end.
  ///   - retryAfter: seconds, as in the header.
  ///   - earlier: consecutive refusals stored in the address's row.
  /// - Returns: the end of the address's back-off; `nil` for other answers.
  func refused(
    _ url: String, by host: String, status: Int, contentType: String?, retryAfter: Double?,
    earlier: Int = 0, at now: Date
  ) -> (until: Date, kind: RefreshFailure.Kind)? {
    state.withLock { state in
      let known = state.hosts[host] ?? HostState()
      guard
        HTTPResponse.asksToWait(status)
          || known.isSoftRefusal(status: status, contentType: contentType, at: now)
      else { return nil }
      if let domain = RegistrableDomain.of(host) {
        state.refusedHosts[domain, default: []].insert(host)
      }
      let until = state.hosts[host, default: known].refused(
        url, status: status, retryAfter: retryAfter, earlier: earlier, at: now)
      return (until, status == 503 ? .httpStatus : .rateLimited)
    }
  }

  func answeredWell(_ host: String) {
    state.withLock { state in
      state.hosts[host]?.answeredWell()
      if let domain = RegistrableDomain.of(host) { state.refusedHosts[domain] = nil }
    }
  }

  /// Loads back-offs from the rows of feeds, so that a restart does not shorten them. A refusal
  /// does not extend to a host or domain that has answered well since.
  /// - Parameter answers: good answers of feeds since the first of those refusals.
  func remember(_ waiting: [FetchRecord], answers: [GoodAnswer] = []) {
    var (ofHosts, ofDomains): ([String: Date], [String: Date]) = ([:], [:])
    for answer in answers {
      guard let host = WebAddress(answer.url).hostKey else { continue }
      ofHosts[host] = max(answer.at, ofHosts[host] ?? answer.at)
      guard let domain = RegistrableDomain.of(host) else { continue }
      ofDomains[domain] = max(answer.at, ofDomains[domain] ?? answer.at)
    }
    state.withLock { state in
      for record in waiting {
        guard let until = record.notBefore, let host = record.host else { continue }
        let since = record.failure?.since ?? .distantFuture
        guard since > ofHosts[host] ?? .distantPast else { continue }
        state.hosts[host, default: HostState()].remember(
          record.url, until: until, status: record.failure?.status, refusals: record.refusals)
        guard let domain = RegistrableDomain.of(host), since > ofDomains[domain] ?? .distantPast
        else { continue }
        state.refusedHosts[domain, default: []].insert(host)
      }
    }
  }
}

extension FetchRecord {
  /// The web address that a refresh requests; `nil` for a local source without one.
  var webURL: String? {
    if case .filter(_, let url) = LocalSource(url) { return url }
    if let headlines { return headlines.page }
    return WebAddress(url).isHTTP ? url : nil
  }

  /// The page of followed headlines and their place in it; `nil` for a feed or list.
  var headlines: HeadlinesAddress? { HeadlinesAddress(url) }
  var host: String? { webURL.flatMap { WebAddress($0).hostKey } }

  /// The number of consecutive refusals of the address.
  var refusals: Int {
    guard let failure, failure.kind == .rateLimited || failure.status == 503 else { return 0 }
    return failure.count
  }
}
