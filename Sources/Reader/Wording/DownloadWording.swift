/// The state of an article's files, in words.
public struct DownloadWording {
  public let dates: DateWording
  /// The displayed key that requests the files; `nil` if there is none.
  public let key: String?
  /// The home directory, shown as `~` in paths; `nil` if unknown.
  public let home: String?

  public init(dates: DateWording, key: String?, home: String?) {
    (self.dates, self.key, self.home) = (dates, key, home)
  }

  /// Returns the line below a file, like "saved as ~/Downloads/talk.mp3".
  public func note(_ download: Download) -> String {
    switch download.state {
    case .waiting: return progress(download)
    case .paused: return "paused" + (download.received > 0 ? ", \(amount(download))" : "")
    case .saved(let path): return "saved as \(shown(path))"
    case .failed(let failure): return "not downloaded\(remedy): \(happened(failure, download))"
    }
  }

  /// Returns the message shown after the key is pressed.
  /// - Parameter pause: the limit that delays downloads.
  public func answer(
    _ downloads: [Download], offline: String?, pause: DownloadPause? = nil
  ) -> String {
    let waiting = downloads.count { $0.state == .waiting }
    guard waiting > 0 else { return "This article has no files to download" }
    let files = waiting == 1 ? "the file" : "\(waiting) files"
    if let pause, pause.until > dates.now {
      return "Weir downloads \(files) from \(dates.moment(pause.until)) (\(Self.setting(pause)))"
    }
    return offline.map { "Offline; Weir downloads \(files) \($0)" } ?? "Downloading \(files)"
  }

  private func progress(_ download: Download) -> String {
    guard download.received > 0 else { return "waiting to download" }
    guard let size = download.size, size > 0 else { return "downloading, \(amount(download))" }
    return "downloading, \(amount(download)), \(min(99, download.received * 100 / size)) %"
  }

  /// Returns text like "12 MB of 28 MB"; "12 MB" if the server did not send the size.
  public func amount(_ download: Download) -> String {
    let received = AmountWording.bytes(Double(download.received))
    guard let size = download.size, size > 0 else { return received }
    return "\(received) of \(AmountWording.bytes(Double(size)))"
  }

  /// Returns the reason why no download starts, as a sentence.
  public func pause(_ pause: DownloadPause) -> String {
    let (moment, setting) = (dates.moment(pause.until), Self.setting(pause))
    switch pause.reason {
    case .day:
      return "Today\u{2019}s limit is reached; downloads go on at \(moment) (\(setting))."
    case .month:
      return "This month\u{2019}s limit is reached; downloads go on at \(moment) (\(setting))."
    }
  }

  /// Returns the name of the setting that causes the limit.
  private static func setting(_ pause: DownloadPause) -> String {
    switch pause.reason {
    case .day: "[downloads] per-day"
    case .month: "[downloads] per-month"
    }
  }

  /// Returns the short form beside a waiting download, like "from 22:00".
  public func shortPause(_ pause: DownloadPause) -> String { "from \(dates.moment(pause.until))" }

  /// Returns the reason why a file is missing, without a full stop.
  public func happened(_ failure: RefreshFailure, _ download: Download) -> String {
    switch failure.kind {
    case .storage:
      let detail = failure.detail.map { ": \(DetailWording.words($0))" } ?? ""
      return "it couldn\u{2019}t be saved" + detail
    case .tooLarge: return "it\u{2019}s larger than 4 GB"
    case .gone: return "\(FailureWording.subject(download.url)) says it\u{2019}s gone (410)"
    default:
      return FailureWording(dates: dates).happened(failure, at: download.url)
    }
  }

  private var remedy: String { key.map { " (\($0) to retry)" } ?? "" }

  /// Returns the path with the home directory as `~`.
  public func shown(_ path: String) -> String {
    guard let home, home != "/", path.hasPrefix(home + "/") else { return path }
    return "~" + path.dropFirst(home.count)
  }
}

/// The playback positions of files, in words.
public enum PlaybackWording {
  /// Returns text like "at 12:31 of 48:00" or "played"; `nil` if the file was not played.
  public static func place(_ playback: Playback?) -> String? {
    guard let playback else { return nil }
    if playback.isFinished { return "played" }
    guard let position = playback.resumesAt else { return nil }
    let whole = playback.duration.flatMap { $0 > position ? " of \($0.clockTime)" : nil }
    return "at \(position.clockTime)" + (whole ?? "")
  }

  public static func playing(_ name: String, from playback: Playback?) -> String {
    "Playing \u{201C}\(name)\u{201D}" + (playback?.resumesAt.map { " at \($0.clockTime)" } ?? "")
  }
}
