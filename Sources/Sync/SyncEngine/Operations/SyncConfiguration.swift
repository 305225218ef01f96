public import Foundation
public import Programs

/// The settings of syncing.
public struct SyncConfiguration: Sendable {
  /// The folder of `engine.lock`, by which processes elect the engine; `nil` for a store that no
  /// other process uses.
  public var directory: String?
  /// True if due feeds are refreshed without a request.
  public var refreshesDueFeeds = true
  /// The time over which feeds due at the start are spread; feeds on screen go first.
  public var initialSpread = Duration.seconds(10)
  /// The absolute path for the files of articles; `nil` disables downloads.
  public var downloadFolder: String?
  public var downloads = DownloadLimits()
  /// The calendar for the days and months of download limits.
  public var calendar = Calendar.current
  /// The limits of transfers. `silence` is the minimum; a poor network gets more.
  public var limits = TransferLimits()
  /// Concurrent local programs, and exchanges with one host if `measuresHosts` is false.
  public var perHost = 2
  public var measuresHosts = true
  /// Concurrent exchanges with one host over one HTTP/2 connection.
  public var perMultiplexingHost = 6
  /// The maximum number of operations between request and cache, apart from user requests.
  public var ceiling = SyncConfiguration.defaultCeiling
  /// Additional places for user requests only.
  public var reserve = 4
  /// The time between checks for maintenance while nothing is refreshed; `nil` disables it.
  public var maintenanceInterval: Duration?
  /// The time between two listings of the shared folder; `nil` if it is not read.
  public var folderInterval: Duration?
  /// The time for which a run waits while another process syncs an account without changing rows.
  public var accountTimeout = Duration.seconds(900)
  /// The time between two automatic pulls of an account.
  public var accountInterval = Duration.seconds(900)
  public var limiter: @Sendable (_ ceiling: Int) -> any ConcurrencyLimiter = {
    AdaptiveLimiter(ceiling: $0)
  }
  public var settings: @Sendable (_ url: String) -> FeedSettings = { _ in FeedSettings() }
  /// Returns the password of an account, requested for each session. Throws if it is unavailable;
  /// the detail of an `AccountFailure` states the reason.
  public var secret: @Sendable (Account) async throws -> String = { account in
    throw AccountFailure(kind: .noSecret, since: Date())
  }
  /// Returns the tag of an account's articles that are kept for later; `nil` for none.
  public var laterTag: @Sendable (Account) -> String? = { _ in nil }
  /// Returns the reading time of clean HTML in minutes and its pictures' addresses, for packs.
  public var textFacts: @Sendable (_ html: String) -> (minutes: Int, pictures: [String]) = { _ in
    (1, [])
  }
  /// Returns the program that a rule runs for an article; `nil` if it is not allowed or not found.
  public var ruleProgram: @Sendable (RuleProgramTask) throws -> ProgramCall? = { _ in nil }
  /// Returns the program for notifications; `nil` if none is set.
  public var ruleNotification: @Sendable ([RuleProgramTask]) throws -> ProgramCall? = { _ in nil }
  /// Called with each event, on any thread.
  public var trace: (@Sendable (SyncEvent) -> Void)?
  /// True if packs are made on any network.
  public var packsAtOnce = false
  /// Returns values in 0 ..< 1 that vary delays.
  public var jitter: @Sendable () -> Double = { Double.random(in: 0..<1) }

  var kinds: [any SyncOperation.Type] = OperationKinds.all

  var hostLimits: HostLimits {
    HostLimits(
      perHost: perHost, perMultiplexingHost: perMultiplexingHost, isMeasured: measuresHosts)
  }

  /// - Parameter directory: the store's directory; `nil` for no election.
  public init(directory: String? = nil) { self.directory = directory }

  /// min(128, (RLIMIT_NOFILE − 64) ÷ 2): a transfer needs a socket, its resolver perhaps another.
  public static var defaultCeiling: Int {
    var limit = rlimit()
    #if os(Linux)
      let name = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let name = RLIMIT_NOFILE
    #endif
    guard getrlimit(name, &limit) == 0 else { return 32 }
    let files = Int(clamping: limit.rlim_cur)
    return max(2, min(128, (files - 64) / 2))
  }
}
