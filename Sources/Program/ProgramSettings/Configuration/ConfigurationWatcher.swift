import Foundation

/// Watches a file with inotify or kqueue: its folder, because editors replace files, and the folder
/// of a link's target. Polls every two seconds if the system provides no watch.
@MainActor
package final class ConfigurationWatcher {
  private let path: String
  private let changed: () -> Void
  private var sources: [any DispatchSourceProtocol] = []
  private var watch: FolderWatch?
  private var content: [UInt8]?
  private var isChecking = false

  /// The delay before reading, because an editor writes more than once.
  private static let rest = DispatchTimeInterval.milliseconds(50)

  /// - Parameter changed: called on the main thread when the content has changed.
  package init(path: String, changed: @escaping () -> Void) {
    self.path = path
    self.changed = changed
    content = try? TextFile.readAtRest(path, name: path)
    begin()
  }

  package func cancel() {
    for source in sources { source.cancel() }
    (sources, watch) = ([], nil)
  }

  private func begin() {
    let target = URL(filePath: path).resolvingSymlinksInPath().path
    let folder = URL(filePath: FilePath.folder(of: path)).resolvingSymlinksInPath().path
    let folders: Set = [folder, FilePath.folder(of: target)]
    #if os(Linux)
      watch = FolderWatch { [weak self] in
        DispatchQueue.main.async { MainActor.assumeIsolated { self?.checkSoon() } }
      }
      guard let watch else { return poll() }
      watch.add(Array(folders))
    #else
      for place in folders.union([target]) {
        let descriptor = open(place, O_EVTONLY | O_CLOEXEC)
        guard descriptor >= 0 else { continue }
        let source = DispatchSource.makeFileSystemObjectSource(
          fileDescriptor: descriptor, eventMask: [.write, .extend, .rename, .delete], queue: .main)
        source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.checkSoon() } }
        source.setCancelHandler { close(descriptor) }
        source.activate()
        sources.append(source)
      }
    #endif
  }

  #if os(Linux)
    /// Polls, because Linux allows a user 128 inotify instances for all programs (inotify(7)).
    private func poll() {
      let timer = DispatchSource.makeTimerSource(queue: .main)
      timer.schedule(deadline: .now() + .seconds(2), repeating: .seconds(2), leeway: .seconds(1))
      timer.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.check() } }
      timer.activate()
      sources = [timer]
    }
  #endif

  private func checkSoon() {
    guard !isChecking else { return }
    isChecking = true
    DispatchQueue.main.asyncAfter(deadline: .now() + Self.rest) { [weak self] in
      MainActor.assumeIsolated { self?.check() }
    }
  }

  private func check() {
    isChecking = false
    #if !os(Linux)
      // A replaced file needs a new watch.
      cancel()
      watch()
    #endif
    let new = try? TextFile.readAtRest(path, name: path)
    guard new != content else { return }
    content = new
    changed()
  }
}
