import Dispatch
import FeedModel
import Foundation
import ReaderUI
import Synchronization

/// What the user chose in the screens and what holds after a restart: a small file of the state
/// directory, never the configuration, which goes over it. This type alone reads and writes it.
/// Whatever is wrong with the file, the reader starts and goes on.
final class ReaderState: Sendable {
  /// Seconds that a write may take when the reader ends.
  private static let patience = 0.3

  /// Nil: nothing is remembered.
  private let path: String?
  private let values: Mutex<[String: String]>
  private let log: Log
  private let queue = DispatchQueue(label: "reader state")

  init(path: String?, log: Log) {
    self.path = path
    self.log = log
    values = Mutex(path.map(Self.read) ?? [:])
  }

  func value(_ setting: ReaderSetting) -> String? { values.withLock { $0[setting.rawValue] } }

  /// Remembers a choice. The file is written beside the caller, who waits for nothing.
  func set(_ setting: ReaderSetting, to value: String) {
    let isNew = values.withLock { values in
      defer { values[setting.rawValue] = value }
      return values[setting.rawValue] != value
    }
    guard isNew, let path else { return }
    queue.async { [log] in
      do throws(CommandFailure) {
        try Self.write(setting, value, to: path)
      } catch {
        log.warning("state: \(error.sentence)")
      }
    }
  }

  /// Waits for what is being written, but not for a disk that hangs.
  func finish() {
    let written = DispatchSemaphore(value: 0)
    queue.async { written.signal() }
    _ = written.wait(timeout: .now() + Self.patience)
  }

  /// Nothing where there is no such file, or another kind of file.
  private static func read(_ path: String) -> [String: String] {
    guard let bytes = try? TextFile.readAtRest(path, name: path),
      let values = try? JSONDecoder().decode([String: String].self, from: Data(bytes))
    else { return [:] }
    return values
  }

  /// Another reader may have chosen something meanwhile, and a newer version remembers more: the
  /// rest of the file stays.
  private static func write(
    _ setting: ReaderSetting, _ value: String, to path: String
  ) throws(CommandFailure) {
    var values = read(path)
    values[setting.rawValue] = value
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    guard let data = try? encoder.encode(values) else { return }
    let folder = FilePath.folder(of: path)
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try TextFile.replace(path, with: Array(data) + [0x0A])
  }
}
