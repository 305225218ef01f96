import Dispatch
import FeedParsing

/// Parses on separate threads, so that a document of 15 MB delays neither the transport nor network
/// tasks.
final class ParsingPool: Sendable {
  /// Dispatch runs as many blocks at once as there are processors.
  private let queue = DispatchQueue(label: "weir.parse", qos: .utility, attributes: .concurrent)

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
    await run {
      Result { () throws(ParseError) in try reader(page.body, page.contentType, page.finalURL) }
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
    await run { Result { () throws(ParseError) in try OPML.parse(bytes) } }
  }

  func run<T: Sendable>(_ body: @escaping @Sendable () -> T) async -> T {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: body()) }
    }
  }
}
