package import FeedModel
import FeedStore
package import TerminalViews

/// State that lasts until the reader ends.
package final class ReaderSession {
  /// Downloads whose end must be reported.
  package var awaitedDownloads: Set<Int64> = []
  package var importing: TimerToken?
  package var exporting: TimerToken?
  /// A read that precedes a question or a list of choices.
  package var preparation: TimerToken?
  /// Policies for marking articles read, of feeds that have one; `nil` before the first read.
  var markPolicies: [FeedID: MarkPolicy]?
  var policyReading: TimerToken?
  /// The number of screens that show the engine's telemetry.
  var telemetryWatchers = 0
}
