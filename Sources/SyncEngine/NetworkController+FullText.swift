import FeedModel
import FeedStore

// The full texts of articles: from rows to the queue, over the network, and back into rows.
extension NetworkController {
  /// Puts the pages that wait in the queue. What somebody waits for goes before everything.
  func takeFullTexts(_ now: Double) throws(StoreError) {
    for task in try store.pendingFullTexts() {
      let key = WorkKey.fullText(task.article)
      guard flights[key] == nil else { continue }
      let workClass: WorkClass = task.isWanted ? .p0 : .p3
      let host = WebAddress(task.url).hostKey ?? ""
      queue.enqueue(WorkItem(key: key, host: host, workClass: workClass, enqueuedAt: now))
      if task.isWanted, width.grade == .offline { hasProbe = true }
    }
  }

  func fetchFullText(_ article: ArticleID, _ item: WorkItem, _ id: OperationID) async {
    defer { flights[item.key] = nil }
    guard let task = try? store.pendingFullText(article), !Task.isCancelled else {
      return freeLine(item, id, .cancelled)
    }
    let operation = FullTextOperation(
      task: task, fetcher: fetcher(for: id, flights[item.key]?.valve), pool: pool)
    if let foregone = operation.foregone() {
      freeLine(item, id, .cancelled)
      return await write(foregone, of: article, item)
    }
    let answer = await operation.fetch()
    let how = OperationEnd(answer, host: item.host)
    takeSamples()
    freeLine(item, id, how)
    tellLine()
    // The row remembers: it is taken again when the engine has nothing else to do, or at its next start.
    if case .cancelled = how { return }
    if case .failure = answer, width.width == 0 {
      // The line failed, not the page, which waits for the line.
      queue.enqueue(item)
      return
    }
    await write(await operation.digest(answer), of: article, item)
  }

  private func write(
    _ outcome: FullText.State, of article: ArticleID, _ item: WorkItem
  ) async {
    flights[item.key]?.stage = .storing
    do throws(StoreError) {
      try await store.finishFullText(article, outcome)
    } catch {
      rest(after: error, clock.uptime())
    }
  }
}
