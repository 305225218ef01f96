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

  func parse(_ document: DocumentResponse) async -> Result<ParsedFeed, ParseError> {
    await read(document, FeedParser.parse(_:contentType:baseURL:))
  }

  func article(_ page: DocumentResponse) async -> Result<MainContent, ParseError> {
    await read(page, PageParser.article(_:contentType:url:))
  }

  /// Passes a document's body, content type and address to a function.
  func read<T: Sendable>(
    _ page: DocumentResponse,
    _ reader: @escaping @Sendable ([UInt8], String?, String) throws(ParseError) -> T
  ) async -> Result<T, ParseError> {
    await attempt { () throws(ParseError) in try reader(page.body, page.contentType, page.finalURL)
    }
  }

  func read<T: Sendable>(
    _ page: DocumentResponse, _ reader: @escaping @Sendable ([UInt8], String?, String) -> T
  ) async -> T {
    await run { reader(page.body, page.contentType, page.finalURL) }
  }

  /// Returns the reason why a page has no article, if the page states one.
  func obstacle(in page: DocumentResponse) async -> FailureDetail? {
    await run { PageParser.obstacle(in: page.body, contentType: page.contentType) }
  }

  /// Returns the reason if a check for robots or a page to sign in came in place of a feed.
  func pageInPlaceOfFeed(_ page: DocumentResponse) async -> FailureDetail? {
    let found = await obstacle(in: page)
    return found == .robotCheck || found == .signInPage ? found : nil
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
