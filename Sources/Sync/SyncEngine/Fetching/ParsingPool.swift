import Dispatch
import FeedParsing
import Foundation
import Synchronization

/// Parses on separate threads, so that a document of 15 MB delays neither the transport nor network
/// tasks.
final class ParsingPool: Sendable {
  private let queues: [DispatchQueue]
  private let loads: Mutex<[Int]>

  init(width: Int = ProcessInfo.processInfo.activeProcessorCount) {
    queues = (0..<max(1, width)).map { DispatchQueue(label: "weir.parse.\($0)", qos: .utility) }
    loads = Mutex(Array(repeating: 0, count: max(1, width)))
  }

  func parse(_ bytes: [UInt8], contentType: String?, baseURL: String) async
    -> Result<ParsedFeed, ParseError>
  {
    await attempt { () throws(ParseError) in
      try FeedParser.parse(bytes, contentType: contentType, baseURL: baseURL)
    }
  }

  func article(_ page: PageResponse) async -> Result<MainContent, ParseError> {
    await attempt { () throws(ParseError) in
      try PageParser.article(page.body, contentType: page.contentType, url: page.finalURL)
    }
  }

  func outline(_ bytes: [UInt8]) async -> Result<OPML.Outline, ParseError> {
    await attempt { () throws(ParseError) in try OPML.parse(bytes) }
  }

  func attempt<T: Sendable>(
    _ body: @escaping @Sendable () throws(ParseError) -> T
  ) async -> Result<T, ParseError> {
    await run { Result(catching: body) }
  }

  func run<T: Sendable>(_ body: @escaping @Sendable () -> T) async -> T {
    let index = loads.withLock { loads in
      let least = loads.indices.min { loads[$0] < loads[$1] } ?? 0
      loads[least] += 1
      return least
    }
    defer { loads.withLock { $0[index] -= 1 } }
    return await withCheckedContinuation { continuation in
      queues[index].async { continuation.resume(returning: body()) }
    }
  }
}
