public import FeedModel
public import FeedStore
public import Foundation
public import NetworkMeasurement
public import Networking
public import Programs
import RateLimiting

/// What the composition root decides about syncing.
public struct SyncConfiguration: Sendable {
  /// Where `engine.lock` lies, by which processes elect the one engine: the store's directory.
  /// Nil: no election; for a store that no other process knows.
  public var directory: String?
  /// Refresh feeds by themselves when their time has come.
  public var refreshesDueFeeds = true
  /// Feeds that are due at the start are spread over so long, so that a reader that is opened does
  /// not ask for all at once. What is on screen goes first.
  public var initialSpread = Duration.seconds(10)
  /// Where the files of articles are saved, as an absolute path; nil: none are fetched.
  public var downloadFolder: String?
  /// When downloads run, and how much they may receive.
  public var downloads = DownloadLimits()
  /// How saved files are named; nil: as at their addresses.
  public var downloadName: DownloadNameTemplate?
  /// In which days and months begin and the hours for downloads are counted.
  public var calendar = Calendar.current
  /// What ends a transfer; `silence` is the least, a poor network gets more.
  public var limits = TransferLimits()
  /// Exchanges at once with one host, until it was measured how many it can serve.
  public var perHost = 2
  /// Measure how many exchanges at once each host can serve.
  public var measuresHosts = true
  /// Exchanges at once with one host over one connection that carries several (HTTP/2).
  public var perMultiplexingHost = 6
  /// The most that may ever be between a request and the cache, apart from user requests.
  public var ceiling = SyncConfiguration.defaultCeiling
  /// Places above the ceiling that only user requests take.
  public var reserve = 4
  /// Between two looks at what maintenance of the cache has to do, while this process is the engine
  /// and nothing is refreshed. Nil: none.
  public var maintenanceInterval: Duration?
  /// For so long a run that is to end waits while another process syncs an account and its rows
  /// do not change: they show no progress, and a first sync brings many articles.
  public var accountPatience = Duration.seconds(900)
  /// Time between two automatic pulls of an account.
  public var accountInterval = Duration.seconds(900)
  /// Makes the controller of the limit for a ceiling.
  public var limiter: @Sendable (_ ceiling: Int) -> any ConcurrencyLimiter = {
    AdaptiveLimiter(ceiling: $0)
  }
  /// What the user set for the feed with an address.
  public var settings: @Sendable (_ url: String) -> FeedSettings = { _ in FeedSettings() }
  /// The password of an account, asked for each time a session begins. What it throws means that it
  /// cannot be had; the detail of an `AccountFailure` says why.
  public var secret: @Sendable (Account) async throws -> String = { account in
    throw AccountFailure(kind: .noSecret, since: Date())
  }
  /// Minutes to read clean HTML, and the addresses of its pictures; for packs.
  public var textFacts: @Sendable (_ html: String) -> (minutes: Int, pictures: [String]) = { _ in
    (1, [])
  }
  /// The program that a rule runs for an article; nil: rules may not run it, or there is none of
  /// this name.
  public var ruleProgram: @Sendable (RuleProgramTask) -> ProgramCall? = { _ in nil }
  /// The program for notifications, for articles of rules that notify; nil: none is set.
  public var ruleNotification: @Sendable ([RuleProgramTask]) -> ProgramCall? = { _ in nil }
  /// Called with each event as it happens, on any thread; nil: not called.
  public var trace: (@Sendable (SyncEvent) -> Void)?
  /// A pack is made now, on whatever network.
  public var packsAtOnce = false
  /// 0 ..< 1, for each delay that must not be the same everywhere.
  public var jitter: @Sendable () -> Double = { Double.random(in: 0..<1) }

  var hostLimits: HostLimits {
    HostLimits(
      perHost: perHost, perMultiplexingHost: perMultiplexingHost, isMeasured: measuresHosts)
  }

  /// - Parameter directory: the store's directory; nil: no election.
  public init(directory: String? = nil) { self.directory = directory }

  /// min(128, (RLIMIT_NOFILE − 64) ÷ 2): a transfer needs a socket and perhaps a resolver's.
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
