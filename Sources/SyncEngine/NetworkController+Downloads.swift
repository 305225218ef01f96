import FeedModel
import FeedStore
import Networking

// The files that articles bring: from rows to the queue, over the network, and into the user's folder.
extension NetworkController {
  /// Puts the files that wait in the queue. They take their turn among the feeds: a long one must not
  /// push everything else aside.
  func takeDownloads(_ now: Double) throws(StoreError) {
    guard configuration.downloadFolder != nil else { return }
    for task in try store.pendingDownloads() {
      let key = WorkKey.download(task.id)
      guard flights[key] == nil else { continue }
      let host = WebAddress(task.url).hostKey ?? ""
      queue.enqueue(WorkItem(key: key, host: host, workClass: .p2, enqueuedAt: now))
      if width.grade == .offline { hasProbe = true }
    }
  }

  /// What was asked for by a row that is gone ends: full texts and files. One read for all of a kind, as
  /// hundreds may wait and every commit for a request comes by here.
  func withdrawGivenUp() throws(StoreError) {
    let keys = (Array(queue.waiting.keys) + Array(flights.keys)).filter { key in
      switch key {
      case .fullText, .download: true
      case .refresh, .discovery, .push, .pull: false
      }
    }
    guard !keys.isEmpty else { return }
    let (pages, files) = (try store.waitingFullTexts(), try store.waitingDownloads())
    for key in keys {
      if case .fullText(let article) = key, pages.contains(article) { continue }
      if case .download(let file) = key, files.contains(file) { continue }
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
