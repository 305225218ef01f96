import FeedStore
import FolderExchange

/// Exchanges with the shared folder while the reader is open. Reads it at intervals, because not
/// every file system reports changes.
struct FolderRunner: Sendable {
  /// The least time between two files of this device, since small files sync slowly.
  private static let pause = Duration.seconds(60)

  let context: OperationContext
  private var exchange: FolderExchange { FolderExchange(context.store.sharedFolder) }

  /// Exchanges at intervals; returns `nil` if that is disabled.
  /// - Parameter isElected: returns false while another process exchanges.
  func start(isElected: @escaping @Sendable () async -> Bool) -> Task<Void, Never>? {
    guard let interval = context.configuration.folderInterval else { return nil }
    return Task {
      var wroteAt: Instant?
      repeat {
        guard await isElected() else { continue }
        let now = context.clock.now()
        let mayWrite = wroteAt.map { now - $0 >= Self.pause } ?? true
        do throws(StoreError) {
          if mayWrite, try context.store.sharedFolder.waiting() > 0 { wroteAt = now }
          try await exchange.run(writes: mayWrite)
        } catch {
          context.emit(.storeFailed(error))
        }
      } while (try? await context.clock.sleep(context.clock.now() + interval)) != nil
    }
  }

  /// Writes what waits before the program ends.
  func finish() async {
    guard context.configuration.folderInterval != nil else { return }
    let (exchange, context) = (exchange, context)
    // Runs in another task, because this one is cancelled and the store would throw.
    await Task {
      do throws(StoreError) {
        try await exchange.run()
      } catch {
        context.emit(.storeFailed(error))
      }
    }.value
  }
}
