import FeedModel
import FeedStore
package import TerminalViews

/// Facts that last as long as the reader runs.
package final class ReaderSession {
  /// Downloads whose end is to be announced.
  package var awaitedDownloads: Set<Int64> = []
  package var importing: TimerToken?
  package var exporting: TimerToken?
  /// Reads before a question or a list of choices.
  package var preparation: TimerToken?
  /// The feeds with a policy of their own for marking articles read; `nil` before the first read.
  var markPolicies: [FeedID: MarkPolicy]?
  var policyReading: TimerToken?
  /// The number of screens that show the engine's telemetry.
  var telemetryWatchers = 0
}
