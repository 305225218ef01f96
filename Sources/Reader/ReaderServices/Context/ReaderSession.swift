package import FeedModel
package import FeedStore
package import TerminalViews

/// State that lasts until the reader ends.
package final class ReaderSession {
  /// Downloads whose end must be reported.
  package var awaitedDownloads: Set<Int64> = []
  /// The names of feeds with a request for older posts whose end must be reported.
  package var awaitedOlderPosts: [FeedID: String] = [:]
  package var importing: TimerToken?
  package var exporting: TimerToken?
  /// A read that precedes a question or a list of choices.
  package var preparation: TimerToken?
  /// The commands that the user has performed, in this session or an earlier one.
  package var practised: Set<Command> = []
  /// The last added rule, until the list of rules is shown.
  package var newRule: RuleID?
  /// Policies for marking articles read, of feeds that have one; `nil` before the first read.
  var markPolicies: [FeedID: MarkPolicy]?
  var policyReading: TimerToken?
  /// The newest article whose arrival was examined; see `OldArrivals`.
  package var checkedArrivals: ArticleID?
  package var arrivalCheck: TimerToken?
  /// Fires when the next sleeper may be due.
  package var waking: TimerToken?
  /// Old articles that were reported and not yet marked read.
  package var oldArrivals: [OldArrivals] = []
  /// The number of screens that show the engine's telemetry.
  var telemetryWatchers = 0
}
