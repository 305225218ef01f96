import Dispatch
import Foundation
import Synchronization

/// The choices that the user makes in the screens: a file in the state directory, which the
/// configuration overrides. A damaged file is ignored.
package final class ReaderState: Sendable {
  /// The seconds for which the reader waits for a write before it ends.
  private static let timeout = 3.0

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

  package var choices: [ReaderSetting: String] {
    let pairs = values.withLock(\.self).map { (ReaderSetting(rawValue: $0.key), $0.value) }
    return Dictionary(uniqueKeysWithValues: pairs)
  }

  package func value(_ setting: ReaderSetting) -> String? {
    values.withLock { $0[setting.rawValue] }
  }

  /// Remembers a choice and writes the file in the background.
  package func set(_ setting: ReaderSetting, to value: String) {
    let isNew = values.withLock { values in
      values.updateValue(value, forKey: setting.rawValue) != value
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
    _ setting: ReaderSetting, _ value: String, to path: String
  ) throws(CommandFailure) {
    var values = read(path)
    values[setting.rawValue] = value
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    guard let data = try? encoder.encode(values) else { return }
    TextFile.makeFolder(of: path)
    try TextFile.replace(path, with: Array(data) + [0x0A])
  }
}
