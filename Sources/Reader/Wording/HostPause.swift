public import Foundation

/// A host in back-off, and the feeds that wait for its end.
public struct HostPause: Sendable {
  public var host: String
  /// The earliest next check of its feeds; `nil` if none is scheduled.
  public var until: Date?
  public var feeds: [Feed]

  /// Returns the back-offs of hosts of failing feeds, the host with the most feeds first.
  public static func all(_ feeds: [Feed]) -> [HostPause] {
    let waiting = feeds.filter { $0.state.failure?.kind == .rateLimited }
    return Dictionary(grouping: waiting) { FailureWording.subject($0.url) }
      .map { host, feeds in
        HostPause(host: host, until: feeds.compactMap(\.state.nextCheckAt).min(), feeds: feeds)
      }
      .sorted { ($1.feeds.count, $0.host) < ($0.feeds.count, $1.host) }
  }

  /// Returns text like "example.org asks for a pause until 22:06 (73 feeds)".
  public func sentence(_ dates: DateWording) -> String {
    let time = until.flatMap { $0 > dates.now ? " until \(dates.moment($0))" : nil } ?? ""
    let count = feeds.count == 1 ? "" : " (\(AmountWording.feeds(feeds.count)))"
    return "\(host) asks for a pause\(time)\(count)"
  }

  /// Returns text for several pauses, like "3 servers ask for a pause (80 feeds)"; `nil` for none.
  public static func sentence(_ pauses: [HostPause], _ dates: DateWording) -> String? {
    guard pauses.count > 1 else { return pauses.first?.sentence(dates) }
    let feeds = pauses.reduce(0) { $0 + $1.feeds.count }
    return "\(AmountWording.grouped(pauses.count)) servers ask for a pause "
      + "(\(AmountWording.feeds(feeds)))"
  }
}
