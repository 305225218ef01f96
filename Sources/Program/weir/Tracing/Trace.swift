// Traces for developers, which do not change the program's behaviour.

import FeedModel
import Foundation
import ProgramSettings
import Synchronization

/// A trace by `WEIR_TRACE=sql,http,frame,engine`: a line per event in `trace.log` beside the log.
///
///     12.345 ms  http    200  HTTP/2  4096 bytes  1.200 ms  GET https://example.org/feed
///
/// Each line begins with milliseconds since the start. Each run replaces the file; since it
/// contains addresses, only its owner may read it.
final class Trace: Sendable {
  enum Part: String, CaseIterable {
    case sql
    case http
    case frame
    case engine
  }

  private let parts: Set<Part>
  private let file: Mutex<FileHandle>
  private let start = ContinuousClock.now

  /// - Parameter wanted: the value of `WEIR_TRACE`.
  /// - Throws: if a part is unknown, or the file cannot be written.
  static func open(_ wanted: String?, path: String) throws(CommandFailure) -> Trace? {
    let names = (wanted ?? "").split(separator: ",").map(String.init)
    guard !names.isEmpty else { return nil }
    var parts: Set<Part> = []
    for name in names {
      guard let part = Part(rawValue: name) else {
        let all = Part.allCases.map(\.rawValue).joined(separator: ",")
        throw CommandFailure("WEIR_TRACE knows \(all), not \(name).", code: .usage)
      }
      parts.insert(part)
    }
    TextFile.makeFolder(of: path)
    let descriptor = Foundation.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw CommandFailure(
        "The trace \(path) cannot be written: \(SystemError.words(errno)).", code: .cannotStart)
    }
    return Trace(parts, FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
  }

  private init(_ parts: Set<Part>, _ file: FileHandle) {
    self.parts = parts
    self.file = Mutex(file)
  }

  func writer(_ part: Part) -> (@Sendable (String) -> Void)? {
    guard parts.contains(part) else { return nil }
    return { self.write(part, $0) }
  }

  private func write(_ part: Part, _ text: String) {
    let time = Self.milliseconds(ContinuousClock.now - start)
    let name = part.rawValue.padding(toLength: 6, withPad: " ", startingAt: 0)
    let safe = SafeText.line(SafeText.withoutSecrets(text))
    let line = "\(time)  \(name)  \(safe)\n"
    file.withLock { try? $0.write(contentsOf: Data(line.utf8)) }
  }

  /// Returns text like "12.345 ms".
  static func milliseconds(_ duration: Duration) -> String {
    String(format: "%.3f ms", duration / .milliseconds(1))
  }
}
