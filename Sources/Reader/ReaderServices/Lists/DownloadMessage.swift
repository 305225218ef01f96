import FeedModel
import Wording

extension DownloadWording {
  /// Returns the outcome of an awaited download; `nil` until it has ended.
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
