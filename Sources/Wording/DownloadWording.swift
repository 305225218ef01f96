public import FeedModel

/// Where the files of articles stand, in words.
public struct DownloadWording {
  /// For the times in sentences.
  public let dates: DateWording
  /// The key that asks for them; nil where it has none.
  public let key: String?
  /// Shown as `~` in paths; nil: not known.
  public let home: String?

  /// - Parameter key: as it is shown to the user; nil: none.
  public init(dates: DateWording, key: String?, home: String?) {
    self.dates = dates
    self.key = key
    self.home = home
  }

  /// For the line below a file: "12.0 MB of 28.4 MB", "saved as ~/Downloads/talk.mp3".
  public func note(_ download: Download) -> String {
    switch download.state {
    case .waiting: return progress(download)
    case .saved(let path): return "saved as \(shown(path))"
    case .failed(let failure): return "not downloaded\(remedy): \(happened(failure, download))"
    }
  }

  /// What the key has just done.
  public func answer(_ downloads: [Download], isOffline: Bool) -> String {
    let waiting = downloads.count { $0.state == .waiting }
    guard waiting > 0 else { return "This article has no files to download" }
    let files = waiting == 1 ? "the file" : "\(waiting) files"
    return isOffline
      ? "Offline; Weir downloads \(files) when you\u{2019}re online" : "Downloading \(files)"
  }

  private func progress(_ download: Download) -> String {
    guard download.received > 0 else { return "waiting to download" }
    let received = AmountWording.bytes(Double(download.received))
    guard let size = download.size, size > 0 else { return "downloading, \(received)" }
    let share = min(99, download.received * 100 / size)
    return "downloading, \(received) of \(AmountWording.bytes(Double(size))), \(share) %"
  }

  /// Why it is not there, without a full stop.
  public func happened(_ failure: RefreshFailure, _ download: Download) -> String {
    switch failure.kind {
    case .storage:
      return "it couldn\u{2019}t be saved" + (failure.detail.map { ": \($0)" } ?? "")
    case .tooLarge: return "it\u{2019}s larger than 4 GB"
    case .gone: return "\(FailureWording.subject(download.url)) says it\u{2019}s gone (410)"
    default:
      return FailureWording(dates: dates)
        .happened(failure, subject: FailureWording.subject(download.url))
    }
  }

  private var remedy: String { key.map { " (\($0) tries again)" } ?? "" }

  /// The path with the home directory as `~`.
  public func shown(_ path: String) -> String {
    guard let home, home != "/", path.hasPrefix(home + "/") else { return path }
    return "~" + path.dropFirst(home.count)
  }
}
