import FeedModel
import FeedStore
import Foundation
import NetworkMeasurement
import Networking

/// One file that an article brings, into the user's folder.
struct DownloadOperation: SyncOperation {
  typealias Answer = (file: DownloadFile?, result: Result<PageResponse, FetchFailure>)

  static let kind = OperationKind(id: 3, isRequested: true)

  let task: DownloadTask
  let folder: String
  let fetcher: Fetcher
  let context: OperationContext

  init?(row: Int64, fetcher: Fetcher, context: OperationContext) throws(StoreError) {
    guard let folder = context.configuration.downloadFolder,
      let task = try context.store.pendingDownload(row)
    else { return nil }
    (self.task, self.folder, self.fetcher, self.context) = (task, folder, fetcher, context)
  }

  /// They take their turn among the feeds: a long one must not push everything else aside.
  static func pending(in context: OperationContext) throws(StoreError) -> [OperationEntry] {
    guard context.configuration.downloadFolder != nil else { return [] }
    return try context.store.pendingDownloads().map { task in
      entry(task.id, host: WebAddress(task.url).hostKey ?? "", .scheduled, in: context)
    }
  }

  static func wanted(in context: OperationContext) throws(StoreError) -> Set<Int64>? {
    try context.store.waitingDownloads()
  }

  var address: String? { WebAddress(task.url).isHTTP ? task.url : nil }

  /// What is known without asking: it is there already, its address is none of the web's, or its
  /// host is in back-off.
  func preflight() -> Preflight<Download.State> {
    if let path = task.path, FileManager.default.fileExists(atPath: path) {
      return .known(.saved(path: path))
    }
    guard WebAddress(task.url).isHTTP else { return .known(failed(.unsupportedScheme)) }
    return fetcher.pauseStatus(of: task.url).map { .known(failed(.rateLimited, status: $0)) }
      ?? .fetch
  }

  /// Removes the unfinished files of downloads that there are no more.
  func sweep() throws(StoreError) {
    let directory = context.configuration.directory ?? ""
    let unfinished = try context.store.unfinishedDownloads()
    PartialName.sweep(
      folder,
      keeping: Set(
        unfinished.map { PartialName.name($0.id, url: $0.url, directory: directory) }),
      directory: directory)
  }

  func fetch() async throws(StoreError) -> Answer {
    let directory = context.configuration.directory ?? ""
    try sweep()
    let answer = await attempt(validator: task.validator, directory: directory)
    // The server has less than is here: another file.
    guard case .success(let page) = answer.result, page.status == 416, let file = answer.file,
      file.start > 0
    else { return answer }
    file.discard()
    return await attempt(validator: nil, directory: directory)
  }

  /// Goes on where an earlier attempt ended, where the server can. A feed may name any file; only
  /// its own host leads into a private network.
  private func attempt(validator: String?, directory: String) async -> Answer {
    let isOwnHost = WebAddress(task.url).hostKey == WebAddress(task.feedURL).hostKey
    let (store, id) = (context.store, task.id)
    let file: DownloadFile
    do throws(DownloadFile.Refusal) {
      file = try DownloadFile(
        in: folder, name: PartialName.name(id, url: task.url, directory: directory),
        validator: validator, clock: context.clock,
        began: { new in
          guard new != validator else { return }
          Task { try? await store.setDownloadValidator(id, new) }
        },
        grown: { received, size in
          Task { try? await store.setDownloaded(id, received: received, size: size) }
        })
    } catch {
      return (nil, .failure(.own(.storage, detail: error.words)))
    }
    let resuming = file.validator.map { (start: file.start, validator: $0) }
    do throws(FetchFailure) {
      return (
        file,
        .success(
          try await fetcher.file(
            task.url, into: file, resuming: resuming, allowsPrivateAddress: isOwnHost))
      )
    } catch {
      // Cancelled by the user: its row is gone.
      let isWanted = (try? store.pendingDownload(id)) != nil
      if isWanted { file.pause() } else { file.discard() }
      return (file, .failure(error))
    }
  }

  func networkEnd(of answer: Answer) -> OperationEnd? {
    answer.result.networkEnd(host: WebAddress(task.url).hostKey ?? "")
  }

  func digest(_ answer: Answer) -> Download.State? {
    switch answer.result {
    case .failure(let error):
      let (kind, detail) = error.fact
      return failed(kind, detail: answer.file?.failure ?? detail)
    case .success(let page):
      guard page.status == 200 || page.status == 206 else {
        answer.file?.pause()
        return .failed(fetcher.refusal(page, of: task.url))
      }
      guard answer.file?.isWhole != false else {
        answer.file?.pause()
        return failed(.truncated)
      }
      do throws(DownloadFile.Refusal) {
        return try (answer.file?.keep(as: Download.fileName(of: task.url))).map { .saved(path: $0) }
      } catch {
        answer.file?.discard()
        return failed(.storage, detail: error.words)
      }
    }
  }

  func store(_ outcome: Download.State) async throws(StoreError) -> [SyncEvent] {
    try await context.store.finishDownload(task.id, outcome)
    return []
  }

  private func failed(
    _ kind: RefreshFailure.Kind, status: Int? = nil, detail: String? = nil
  ) -> Download.State {
    let words = detail.flatMap { $0.isEmpty ? nil : $0 }
    return .failed(
      RefreshFailure(kind: kind, status: status, detail: words, since: fetcher.date()))
  }
}
