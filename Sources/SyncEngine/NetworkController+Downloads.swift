import FeedModel
import FeedStore
import Networking

// The files that articles bring: from rows to the queue, over the network, and into the user's folder.
extension NetworkController {
  /// Puts the files that wait in the queue, and ends those that were given up. They take their turn
  /// among the feeds: a long one must not push everything else aside.
  func takeDownloads(_ now: Double) throws(StoreError) {
    guard configuration.downloadFolder != nil else { return }
    for task in try store.pendingDownloads() {
      let key = WorkKey.download(task.id)
      guard flights[key] == nil else { continue }
      let host = WebAddress(task.url).hostKey ?? ""
      queue.enqueue(WorkItem(key: key, host: host, workClass: .p2, enqueuedAt: now))
      if width.grade == .offline { hasProbe = true }
    }
    try withdrawGivenUp()
  }

  /// What was asked for by a row that is gone ends.
  private func withdrawGivenUp() throws(StoreError) {
    for key in Array(queue.waiting.keys) + Array(flights.keys) {
      let isWanted: Bool
      switch key {
      case .download(let id): isWanted = try store.pendingDownload(id) != nil
      case .fullText(let article): isWanted = try store.pendingFullText(article) != nil
      case .refresh, .discovery, .push, .pull: continue
      }
      guard !isWanted else { continue }
      if queue.removeWaiting(key) == nil, flights[key]?.stage == .fetching {
        flights[key]?.cancel()
      }
      telemetry.isStale = true
    }
  }

  func download(_ download: Int64, _ item: WorkItem, _ id: OperationID) async {
    defer { flights[item.key] = nil }
    guard let task = try? store.pendingDownload(download), !Task.isCancelled,
      let folder = configuration.downloadFolder
    else { return freeLine(item, id, .cancelled) }
    let fetcher = fetcher(for: id, flights[item.key]?.valve)
    if let foregone = DownloadOperation.foregone(task, fetcher) {
      freeLine(item, id, .cancelled)
      return await write(foregone, of: download, item)
    }
    let file: DownloadFile
    do throws(DownloadFile.Refusal) {
      let store = store
      file = try DownloadFile(in: folder, uptime: clock.uptime) { received, size in
        Task { try? await store.setDownloaded(download, received: received, size: size) }
      }
    } catch {
      freeLine(item, id, .cancelled)
      let failure = DownloadOperation.failed(.storage, detail: error.words, fetcher)
      return await write(failure, of: download, item)
    }
    defer { file.discard() }
    let operation = DownloadOperation(task: task, fetcher: fetcher, file: file)
    let answer = await operation.fetch()
    let how = OperationEnd(answer, host: item.host)
    takeSamples()
    freeLine(item, id, how)
    tellLine()
    // The row remembers: it is taken again when the engine has nothing else to do, or at its next start.
    if case .cancelled = how { return }
    if case .failure = answer, width.width == 0 {
      // The line failed, not the file, which waits for the line.
      queue.enqueue(item)
      return
    }
    await write(operation.digest(answer), of: download, item)
  }

  private func write(_ outcome: Download.State, of download: Int64, _ item: WorkItem) async {
    flights[item.key]?.stage = .storing
    do throws(StoreError) {
      try await store.finishDownload(download, outcome)
    } catch {
      rest(after: error, clock.uptime())
    }
  }
}
