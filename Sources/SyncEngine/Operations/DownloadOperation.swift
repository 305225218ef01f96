import FeedModel
import FeedStore
import Foundation
import Networking

/// One file that an article brings, into the user's folder. It writes no row.
struct DownloadOperation: Sendable {
  typealias Answer = Result<PageResponse, FetchFailure>

  let task: DownloadTask
  let fetcher: Fetcher
  let file: DownloadFile

  /// What is known without asking: it is there already, its address is none of the web's, or its host
  /// wants peace.
  static func foregone(_ task: DownloadTask, _ fetcher: Fetcher) -> Download.State? {
    if let path = task.path, FileManager.default.fileExists(atPath: path) {
      return .saved(path: path)
    }
    guard WebAddress(task.url).isHTTP else { return failed(.unsupportedScheme, fetcher) }
    return fetcher.pauseStatus(of: task.url).map { failed(.rateLimited, status: $0, fetcher) }
  }

  /// A feed may name any file; only its own host leads into a private network.
  func fetch() async -> Answer {
    let isOwnHost = WebAddress(task.url).hostKey == WebAddress(task.feedURL).hostKey
    do throws(FetchFailure) {
      return .success(try await fetcher.file(task.url, into: file, allowsPrivateAddress: isOwnHost))
    } catch {
      return .failure(error)
    }
  }

  func digest(_ answer: Answer) -> Download.State {
    switch answer {
    case .failure(let error):
      let (kind, detail) = error.fact
      return Self.failed(kind, detail: file.failure ?? detail, fetcher)
    case .success(let page):
      guard page.status == 200 else { return .failed(fetcher.refusal(page, of: task.url)) }
      do throws(DownloadFile.Refusal) {
        return .saved(path: try file.keep(as: Download.fileName(of: task.url)))
      } catch {
        return Self.failed(.storage, detail: error.words, fetcher)
      }
    }
  }

  static func failed(
    _ kind: RefreshFailure.Kind, status: Int? = nil, detail: String? = nil, _ fetcher: Fetcher
  ) -> Download.State {
    let words = detail.flatMap { $0.isEmpty ? nil : $0 }
    return .failed(
      RefreshFailure(kind: kind, status: status, detail: words, since: fetcher.date()))
  }
}
