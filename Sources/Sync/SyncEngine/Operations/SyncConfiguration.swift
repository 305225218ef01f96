package import Foundation
package import Programs

/// The user's settings for syncing, by the names in `EngineSettings`, and what the engine gets from
/// the program.
@dynamicMemberLookup
package struct SyncConfiguration: Sendable {
  /// The folder of `engine.lock`, by which processes elect the engine; `nil` for a store that no
  /// other process uses.
  package var directory: String?
  package var values = SettingValues()
  /// The time over which feeds due at the start are spread; feeds on screen go first.
  package var initialSpread = Duration.seconds(10)
  /// The absolute path for the files of articles; `nil` disables downloads.
  package var downloadFolder: String?
  /// The calendar for the days and months of download limits.
  package var calendar = Calendar.current
  /// False to keep to the usual limits of hosts, whatever they answer.
  var measuresHosts = true
  /// The limit that the system sets to `ceiling`.
  private let systemCeiling = SyncConfiguration.defaultCeiling
  /// Additional places for user requests only.
  package var reserve = 4
  /// The time between checks for maintenance while nothing is refreshed; `nil` disables it.
  package var maintenanceInterval: Duration?
  /// The time between two listings of the shared folder; `nil` if it is not read.
  package var folderInterval: Duration?
  /// The time for which a run waits while another process syncs an account without changing rows.
  package var accountTimeout = Duration.seconds(900)
  package var limiter: @Sendable (_ ceiling: Int) -> any ConcurrencyLimiter = {
    AdaptiveLimiter(ceiling: $0)
  }
  package var settings: @Sendable (_ url: String) -> FeedSettings = { _ in FeedSettings() }
  /// Returns the password of an account, requested for each session. Throws if it is unavailable;
  /// the detail of an `AccountFailure` states the reason.
  package var secret: @Sendable (Account) async throws -> String = { account in
    throw AccountFailure(kind: .noSecret, since: Date())
  }
  /// Returns the tag of an account's articles that are kept for later; `nil` for none.
  package var laterTag: @Sendable (Account) -> String? = { _ in nil }
  /// Returns the reading time of clean HTML in minutes and its pictures' addresses, for packs.
  package var textFacts: @Sendable (_ html: String) -> (minutes: Int, pictures: [String]) = { _ in
    (1, [])
  }
  /// Returns the program that a rule runs for an article; `nil` if it is not allowed or not found.
  package var ruleProgram: @Sendable (RuleProgramTask) throws -> ProgramCall? = { _ in nil }
  /// Returns the program for notifications; `nil` if none is set.
  package var ruleNotification: @Sendable ([RuleProgramTask]) throws -> ProgramCall? = { _ in nil }
  /// Called with each event, on any thread.
  package var trace: (@Sendable (SyncEvent) -> Void)?
  /// True if packs are made on any network.
  package var packsAtOnce = false
  /// Returns values in 0 ..< 1 that vary delays.
  package var jitter: @Sendable () -> Double = { Double.random(in: 0..<1) }
  var kinds: [any SyncOperation.Type] = OperationKinds.all

  /// - Parameter directory: the store's directory; `nil` for no election.
  package init(directory: String? = nil) { self.directory = directory }

  package subscript<Value>(
    dynamicMember setting: KeyPath<EngineSettings, SettingKey<Value>>
  ) -> Value {
    get { values[EngineSettings.all[keyPath: setting]] }
    set { values[EngineSettings.all[keyPath: setting]] = newValue }
  }

  var hostLimits: HostLimits {
    self.perHost.map { HostLimits(perHost: $0, perMultiplexingHost: $0, isMeasured: false) }
      ?? HostLimits(isMeasured: measuresHosts)
  }

  /// The maximum number of operations between request and cache, apart from user requests.
  package var ceiling: Int { min(self.connections ?? systemCeiling, systemCeiling) }

  var downloads: DownloadLimits {
    DownloadLimits(
      perDay: self.downloadsPerDay, perMonth: self.downloadsPerMonth,
      parallel: self.parallelDownloads)
  }

  /// min(128, (RLIMIT_NOFILE − 64) ÷ 2): a transfer needs a socket, its resolver perhaps another.
  private static var defaultCeiling: Int {
    CurlTransport.openFiles.map { max(2, min(128, ($0 - 64) / 2)) } ?? 32
  }
}
