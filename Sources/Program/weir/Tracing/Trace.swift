// Traces for developers, which do not change the program's behaviour.

import Foundation
import ProgramSettings
import Synchronization
import TerminalKit

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

  static func milliseconds(_ duration: Duration) -> String {
    String(format: "%.3f ms", duration / .milliseconds(1))
  }
}

/// Traces each frame: the time of its output, and the number of changed cells.
final class TracedTerminal: Terminal {
  private let terminal: any Terminal
  private let write: @Sendable (String) -> Void
  private var last: Surface?

  init(_ terminal: any Terminal, _ write: @escaping @Sendable (String) -> Void) {
    (self.terminal, self.write) = (terminal, write)
  }

  var supportsUTF8: Bool { terminal.supportsUTF8 }

  func present(_ surface: Surface) {
    let start = ContinuousClock.now
    terminal.present(surface)
    let time = Trace.milliseconds(ContinuousClock.now - start)
    write("\(time)  \(changes(to: surface)) cells of \(surface.size.width)×\(surface.size.height)")
    last = surface
  }

  private func changes(to surface: Surface) -> Int {
    let size = surface.size
    guard let last, last.size == size else { return size.width * size.height }
    var count = 0
    for y in 0..<size.height {
      for x in 0..<size.width where last[x, y] != surface[x, y] { count += 1 }
    }
    return count
  }

  var size: Size { terminal.size }
  var colorDepth: ColorDepth { terminal.colorDepth }
  func redraw() { terminal.redraw() }
  func readKeys() -> [Key] { terminal.readKeys() }
  func setTitle(_ title: String) { terminal.setTitle(title) }
  var cellPixels: Size? { terminal.cellPixels }
  var graphics: PictureProtocol? { terminal.graphics }
  func number(of picture: TerminalPicture) -> UInt32? { terminal.number(of: picture) }
  func copy(_ text: String) -> Bool { terminal.copy(text) }
  func suspended<T>(_ body: () throws -> T) rethrows -> T { try terminal.suspended(body) }
  func close() { terminal.close() }
}

struct TracedTransport: HTTPTransport {
  let transport: any HTTPTransport
  let write: @Sendable (String) -> Void

  func send(
    _ request: HTTPRequest, observe: (@Sendable (TransferEvent) -> Void)?
  ) async throws(TransportError) -> HTTPResponse {
    let start = ContinuousClock.now
    func note(_ result: String) {
      let time = Trace.milliseconds(ContinuousClock.now - start)
      write("\(result)  \(time)  \(request.method.rawValue) \(request.url)")
    }
    do throws(TransportError) {
      let response = try await transport.send(request, observe: observe)
      let metrics = response.metrics
      note(
        "\(response.status)  HTTP/\(metrics.httpVersion ?? "?")  \(metrics.bytesReceived) bytes"
          + (metrics.connect == nil ? "  reused" : ""))
      return response
    } catch {
      note("\(error.kind)")
      throw error
    }
  }

  func reaches(_ url: String, through proxy: ProxyChoice, within timeout: Double) async -> Bool {
    let isThere = await transport.reaches(url, through: proxy, within: timeout)
    write("\(isThere ? "reachable" : "unreachable")  \(url)")
    return isThere
  }
}
