import FeedModel
import Wording

extension DownloadWording {
  /// The outcome of an awaited download; `nil` while it waits.
  func end(_ download: Download) -> StatusMessage? {
    switch download.state {
    case .waiting, .paused: nil
    case .saved(let path): .note("Saved as \(shown(path))")
    case .failed(let failure):
      .failure(
        "\(Download.fileName(of: download.url)) wasn\u{2019}t downloaded: "
          + happened(failure, download))
    }
  }
}
