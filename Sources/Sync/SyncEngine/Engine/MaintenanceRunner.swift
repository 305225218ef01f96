import Foundation

/// Runs maintenance of the cache in the engine's process while nothing is refreshed.
struct MaintenanceRunner: Sendable {
  /// The pause after each step, as a multiple of its time: maintenance uses a tenth of the time.
  private static let rest = 9
  /// The time for maintenance at the end of a command, as users of cron have no other engine.
  private static let shortRun = Duration.seconds(1)

  let context: OperationContext

  /// Runs maintenance at intervals; returns `nil` if it is disabled.
  func start(isFree: @escaping @Sendable () async -> Bool) -> Task<Void, Never>? {
    guard let interval = context.configuration.maintenanceInterval else { return nil }
    let clock = context.clock
    return Task {
      while (try? await clock.sleep(clock.now() + interval)) != nil {
        await run(until: nil, isFree: isFree)
      }
    }
  }

  func runBriefly(isFree: @escaping @Sendable () async -> Bool) async {
    guard context.configuration.maintenanceInterval != nil else { return }
    await run(until: context.clock.now() + Self.shortRun, isFree: isFree)
  }

  private func run(until end: Instant?, isFree: @Sendable () async -> Bool) async {
    let clock = context.clock
    while await isFree(), !Task.isCancelled {
      let began = clock.now()
      if let end, began >= end { return }
      do throws(StoreError) {
        guard try await context.store.maintenance.maintenanceStep() else {
          return try await DownloadExpiry(context: context).run()
        }
      } catch {
        return context.emit(.storeFailed(error))
      }
      // The user waits for the command to end, so there are no pauses.
      guard end == nil else { continue }
      let pause = (clock.now() - began) * Self.rest
      guard (try? await clock.sleep(clock.now() + pause)) != nil else { return }
    }
  }
}

/// Removes expired saved files and the remains of deleted downloads.
struct DownloadExpiry {
  let context: OperationContext

  func run() async throws(StoreError) {
    guard let folder = context.configuration.downloadFolder else { return }
    let directory = context.configuration.directory ?? ""
    try PartialName.sweep(folder, directory: directory, in: context.store)
    for file in try context.store.downloads.expiredDownloads() {
      if Self.isAsSaved(file.path, bytes: file.bytes), unlink(file.path) != 0 { continue }
      try await context.store.downloads.removeDownload(file.id, ifWaiting: false)
    }
  }

  /// Returns false for a replaced or changed file, which belongs to the user.
  private static func isAsSaved(_ path: String, bytes: Int64) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1
      && Int64(status.st_size) == bytes
  }
}
