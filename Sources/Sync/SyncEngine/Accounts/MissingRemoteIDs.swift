import Foundation

/// The names of requested articles that the server did not return. After some tries they are not
/// requested for a day or until the subscriptions change. Pure.
struct MissingRemoteIDs: Sendable, Equatable {
  /// The number of tries before a name is skipped.
  private static let mostTries = 3
  private static let day = Duration.days(1)
  private static let most = 20_000

  private var tries: [String: Int] = [:]
  private var feeds: Set<String> = []
  private var since = Date.distantPast

  mutating func begin(_ feeds: Set<String>, at now: Date) {
    let age = Duration.seconds(now.timeIntervalSince(since))
    guard feeds != self.feeds || !(.zero..<Self.day).contains(age) else { return }
    tries = [:]
    self.feeds = feeds
    since = now
  }

  func isWorthwhile(_ name: String) -> Bool { tries[name, default: 0] < Self.mostTries }

  mutating func add(_ names: [String]) {
    for name in names where tries[name] != nil || tries.count < Self.most {
      tries[name, default: 0] += 1
    }
  }
}
