import FeedModel

/// Where the files of articles stand, in words.
struct DownloadWording {
  let dates: DateWording
  /// The key that asks for them; nil where it has none.
  let key: String?
  /// Shown as `~` in paths; nil: not known.
  let home: String?

  /// For the line below a file: "12.0 MB of 28.4 MB", "saved as ~/Downloads/talk.mp3".
  func note(_ download: Download) -> String {
    switch download.state {
    case .waiting: return progress(download)
    case .saved(let path): return "saved as \(shown(path))"
    case .failed(let failure): return "not downloaded\(remedy): \(happened(failure, download))"
    }
  }

  /// What the key has just done.
  func answer(_ downloads: [Download], isOffline: Bool) -> String {
    let waiting = downloads.count { $0.state == .waiting }
    guard waiting > 0 else { return "This article brings no file to download" }
    let files = waiting == 1 ? "the file" : "\(waiting) files"
    return isOffline ? "Offline; \(files) will come when the line is back" : "Downloading \(files)"
  }

  /// What became of one that somebody waited for; nil while it waits.
  func end(_ download: Download) -> StatusMessage? {
    switch download.state {
    case .waiting: nil
    case .saved(let path): .note("Saved as \(shown(path))")
    case .failed(let failure):
      .failure(
        "\(Download.fileName(of: download.url)) was not downloaded: "
          + happened(failure, download))
    }
  }

  private func progress(_ download: Download) -> String {
    guard download.received > 0 else { return "download waits" }
    let received = AmountWording.bytes(Double(download.received))
    guard let size = download.size, size > 0 else { return "downloading, \(received)" }
    let share = min(99, download.received * 100 / size)
    return "downloading, \(received) of \(AmountWording.bytes(Double(size))), \(share) %"
  }

  private func happened(_ failure: RefreshFailure, _ download: Download) -> String {
    switch failure.kind {
    case .storage:
      return "it could not be written" + (failure.detail.map { ": \($0)" } ?? "")
    case .tooLarge: return "it is larger than 4 GB"
    case .gone: return "\(FailureWording.subject(download.url)) says that it is gone (410)"
    default:
      return FailureWording(dates: dates)
        .happened(failure, subject: FailureWording.subject(download.url))
    }
  }

  private var remedy: String { key.map { " (\($0) tries again)" } ?? "" }

  private func shown(_ path: String) -> String {
    guard let home, home != "/", path.hasPrefix(home + "/") else { return path }
    return "~" + path.dropFirst(home.count)
  }
}
