import Dispatch
import Foundation
import Synchronization

/// Facts about the use of the reader that are kept for its next start.
package enum ReaderMemory: String, Sendable {
  /// The version that was started last.
  case version
  /// The names of the commands that the user has performed, separated by spaces.
  case practised
}

/// The choices that the user makes in the screens: a file in the state directory, which the
/// configuration overrides. A damaged file is ignored.
package final class ReaderState: Sendable {
  /// The seconds for which the reader waits for a write before it ends.
  private static let timeout = 0.3

  /// The path of the file; `nil` to remember nothing.
  private let path: String?
  private let values: Mutex<[String: String]>
  private let log: Log
  private let queue = DispatchQueue(label: "reader state")

  package init(path: String?, log: Log) {
    self.path = path
    self.log = log
    values = Mutex(path.map(Self.read) ?? [:])
  }

  package func value(_ setting: ReaderSetting) -> String? {
    values.withLock { $0[setting.rawValue] }
  }

  package func value(_ memory: ReaderMemory) -> String? {
    values.withLock { $0[memory.rawValue] }
  }

  /// Views of lists are stored with this prefix.
  private static let views = "view "

  /// The remembered views of lists by the name of the list.
  package var views: [String: String] {
    values.withLock { values in
      let views = values.compactMap { name, view -> (String, String)? in
        name.hasPrefix(Self.views) ? (String(name.dropFirst(Self.views.count)), view) : nil
      }
      return Dictionary(views) { first, _ in first }
    }
  }

  package func set(view: String, of list: String) { set(key: Self.views + list, to: view) }

  /// Remembers a choice and writes the file in the background.
  package func set(_ setting: ReaderSetting, to value: String) {
    set(key: setting.rawValue, to: value)
  }

  /// Remembers a fact and writes the file in the background.
  package func set(_ memory: ReaderMemory, to value: String) {
    set(key: memory.rawValue, to: value)
  }

  private func set(key: String, to value: String) {
    let isNew = values.withLock { values in
      defer { values[key] = value }
      return values[key] != value
    }
    guard isNew, let path else { return }
    queue.async { [log] in
      do throws(CommandFailure) {
        try Self.write(key, value, to: path)
      } catch {
        log.warning("state: \(error.sentence)")
      }
    }
  }

  /// Waits for a write, but not for a disk that hangs.
  package func finish() {
    let written = DispatchSemaphore(value: 0)
    queue.async { written.signal() }
    _ = written.wait(timeout: .now() + Self.timeout)
  }

  /// Returns the stored values; none if the file is missing or of another kind.
  private static func read(_ path: String) -> [String: String] {
    guard let bytes = try? TextFile.readAtRest(path, name: path),
      let values = try? JSONDecoder().decode([String: String].self, from: Data(bytes))
    else { return [:] }
    return values
  }

  /// Writes a value. Keeps other keys, which another reader or a newer version may have written.
  private static func write(
    _ key: String, _ value: String, to path: String
  ) throws(CommandFailure) {
    var values = read(path)
    values[key] = value
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    guard let data = try? encoder.encode(values) else { return }
    TextFile.makeFolder(of: path)
    try TextFile.replace(path, with: Array(data) + [0x0A])
  }
}
