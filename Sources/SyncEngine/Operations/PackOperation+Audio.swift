import FeedModel
import FeedStore

/// Sound of a pack: fetched as other downloads are, within the pack's budget.
extension PackOperation {
  /// The download itself, with what counts its bytes; nil: there is none to make.
  static func download(
    _ task: PackTask, fetcher: Fetcher, context: OperationContext
  ) throws(StoreError) -> DownloadOperation? {
    guard task.stage == .audio, let found = try context.store.download(of: task), found.isOfPack
    else { return nil }
    return try DownloadOperation(row: found.file.id, fetcher: fetcher, context: context)
  }

  /// What is known of a file without asking.
  func audioIsKnown() throws(StoreError) -> PackOutcome? {
    guard let download else {
      guard let found = try context.store.download(of: task) else { return .leftOut }
      if case .failed(let failure) = found.file.state { return .failed(failure) }
      // It was saved before, or the user has asked for it in the meantime.
      return found.isOfPack ? failed(.storage) : .present
    }
    if let size = task.size, size > task.left { return .leftOut }
    if case .known(let state) = download.preflight() { return .audio(state) }
    return nil
  }
}
