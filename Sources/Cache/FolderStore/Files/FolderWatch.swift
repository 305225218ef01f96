import Dispatch
import Foundation

/// Reports changes of the files in directories, where the system does (inotify of Linux). Network
/// file systems report only what this machine changes.
package final class FolderWatch {
  #if canImport(Glibc) || canImport(Musl)
    private static let events =
      IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ONLYDIR
      | IN_DONT_FOLLOW

    private let descriptor: Int32
    private let source: any DispatchSourceRead

    /// - Returns: `nil` if the system reports no changes.
    package init?(_ onChange: @escaping @Sendable () -> Void) {
      let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
      guard descriptor >= 0 else { return nil }
      self.descriptor = descriptor
      source = DispatchSource.makeReadSource(
        fileDescriptor: descriptor, queue: .global(qos: .utility))
      source.setEventHandler {
        var events = [UInt8](repeating: 0, count: 4_096)
        while read(descriptor, &events, events.count) > 0 {}
        onChange()
      }
      source.setCancelHandler { close(descriptor) }
      source.activate()
    }

    deinit { source.cancel() }

    package func add(_ directories: [String]) {
      for directory in directories {
        inotify_add_watch(descriptor, directory, UInt32(Self.events))
      }
    }
  #else
    package init?(_ onChange: @escaping @Sendable () -> Void) { return nil }
    package func add(_ directories: [String]) {}
  #endif
}
