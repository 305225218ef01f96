import FeedModel
import Foundation

/// The server's names of articles that were asked for and are not here all the same: starred ones
/// of feeds that are followed no more, ones that the server lists and does not give. After some
/// tries they are not asked for, for a day or until other feeds are followed. Pure.
package struct MissingRemoteIDs: Sendable, Equatable {
  /// Tries after which it is no accident.
  private static let patience = 3
  private static let day = Duration.days(1)
  /// More are not remembered.
  private static let most = 20_000

  private var tries: [String: Int] = [:]
  private var feeds: Set<String> = []
  private var since = Date.distantPast

  package init() {}

  /// - Parameter feeds: the subscriptions by now.
  mutating func begin(_ feeds: Set<String>, at now: Date) {
    let age = Duration.seconds(now.timeIntervalSince(since))
    guard feeds != self.feeds || !(.zero..<Self.day).contains(age) else { return }
    tries = [:]
    self.feeds = feeds
    since = now
  }

  func isWorthwhile(_ name: String) -> Bool { tries[name, default: 0] < Self.patience }

  /// These were asked for, and are not here.
  mutating func add(_ names: [String]) {
    for name in names where tries[name] != nil || tries.count < Self.most {
      tries[name, default: 0] += 1
    }
  }
}
