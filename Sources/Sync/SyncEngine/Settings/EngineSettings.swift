/// The settings of the engine, each with its place, type, default, check and comment.
package struct EngineSettings: SettingList {
  package static let all = EngineSettings()

  package let isAutomatic = SettingKey.toggle(
    "sync.automatic", true,
    "Refresh feeds automatically when they are due, while the reader is open.")
  package let perHost = SettingKey.optional(
    "sync.per-host", 1...16, example: 2,
    """
    Concurrent requests to one server. Default: 2; up to 6 while its answers stay fast, 1 after a refusal, and
    6 over one HTTP/2 connection.
    """
  ).forExperts
  package let connections = SettingKey.optional(
    "sync.connections", 1...128, example: 128,
    """
    Concurrent requests in total. Weir measures the network and stays below this number and below the system’s
    limit.
    """
  ).forExperts
  package let proxy = SettingKey.text(
    "sync.proxy", expected: Setting.proxyForm, example: "socks5h://127.0.0.1:9050",
    """
    The proxy for all requests: "http://host:3128", "https://…", "socks5://…", "socks5h://host:9050" (which
    also resolves names), or "" for no proxy. Default: the proxy of the environment (https_proxy, all_proxy, no_proxy).
    """
  ) {
    $0.isEmpty || FeedOptions.isProxy($0) ? ProxyChoice($0, hasExceptions: true) : nil
  }
  package let userAgent = SettingKey.text(
    "sync.user-agent", expected: Setting.textForm, example: "Weir/0.1.0 (+https://…)",
    "The User-Agent header. Default: the name, version and web page of Weir."
  ) { Setting.isPlain($0) && !$0.isEmpty ? $0 : nil }.forExperts
  package let accountInterval = SettingKey.number(
    "accounts.interval", 1...1_440, 15,
    """
    Minutes between two syncs with the servers of accounts while the reader is open. The reader also syncs when it
    is opened and when the network returns. Your changes are sent within seconds.
    """
  ) { Duration.seconds(60 * $0) }.forExperts
  package let downloadsPerDay = SettingKey.number(
    "downloads.per-day", 0...10_000_000, 0,
    """
    The maximum amount of downloads in one day, in MB. The rest waits for the next day. With 0 there is no limit.
    """,
    as: bytes
  ).forExperts
  package let downloadsPerMonth = SettingKey.number(
    "downloads.per-month", 0...10_000_000, 0, "The same for one month.", as: bytes
  ).forExperts
  package let parallelDownloads = SettingKey.number(
    "downloads.parallel", 1...16, 3,
    "Concurrent downloads."
  ).forExperts

  /// Returns a limit in bytes; `nil` for no limit.
  @Sendable private static func bytes(_ megabytes: Int) -> Int64? {
    megabytes > 0 ? Int64(megabytes) * 1_000_000 : nil
  }
}
