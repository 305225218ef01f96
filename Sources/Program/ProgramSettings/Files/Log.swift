import Foundation
import Synchronization

/// Writes a log, with --log or `[log]` only: one sanitised line per event, without secrets.
package final class Log: Sendable {
  package enum Level: Int, Sendable, Comparable, CaseIterable {
    case error, warning, info, debug

    package var name: String { "\(self)" }

    package static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
  }

  /// The size in bytes from which a new file is started; the old one becomes `FILE.1`.
  private static let rotationSize: off_t = 1 << 20

  private let level: Level?
  private let file: Mutex<FileHandle?>

  package static let off = Log(level: nil, file: nil)

  private init(level: Level?, file: FileHandle?) {
    self.level = level
    self.file = Mutex(file)
  }

  /// - Parameter level: the least severe level that is written; `nil` for no log and no file.
  package static func open(path: String, level: Level?) throws(CommandFailure) -> Log {
    guard let level else { return off }
    TextFile.makeFolder(of: path)
    var status = stat()
    let isFile = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    if isFile, status.st_size > rotationSize { rename(path, path + ".1") }
    let descriptor = Foundation.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw CommandFailure(
        "The log \(path) cannot be written: \(SystemError.words(errno)). Name another with --log.",
        code: .cannotStart)
    }
    return Log(level: level, file: FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
  }

  package func error(_ text: @autoclosure () -> String) { write(.error, text) }
  package func warning(_ text: @autoclosure () -> String) { write(.warning, text) }
  package func info(_ text: @autoclosure () -> String) { write(.info, text) }
  package func debug(_ text: @autoclosure () -> String) { write(.debug, text) }

  package func write(_ level: Level, _ text: String) { write(level) { text } }

  private func write(_ level: Level, _ text: () -> String) {
    guard let least = self.level, level <= least else { return }
    let time = Date().formatted(.iso8601)
    let safe = SafeText.line(SafeText.withoutSecrets(text()))
    let line = "\(time) \(getpid()) \(level.name) \(safe)\n"
    // A failing log must not disturb the program.
    file.withLock { try? $0?.write(contentsOf: Data(line.utf8)) }
  }
}
