import FeedModel
import FeedStore

/// Audio of a pack, fetched as a download within the pack's budget.
extension PackOperation {
  /// Returns the download of a pack's audio file; `nil` if the pack need not download the file.
  static func download(
    _ task: PackTask, fetcher: Fetcher, context: OperationContext
  ) throws(StoreError) -> DownloadOperation? {
    guard task.stage == .audio, let found = try context.store.packs.download(of: task),
      found.isOfPack
    else { return nil }
    return try DownloadOperation(row: found.file.id, fetcher: fetcher, context: context)
  }

  /// Returns the result if no request is needed.
  func audioIsKnown() throws(StoreError) -> PackOutcome? {
    guard let download else {
      guard let found = try context.store.packs.download(of: task) else { return .leftOut }
      if case .failed(let failure) = found.file.state { return .failed(failure) }
      // The file was saved before, or the user has requested it in the meantime.
      return found.isOfPack ? .failed(fetcher.failure(.storage)) : .present
    }
    if let size = task.size, size > task.left { return .leftOut }
    if case .known(let state) = download.preflight() { return .audio(state) }
    return nil
  }
}
