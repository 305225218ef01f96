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
    await run { () throws(ParseError) in
      try FeedParser.parse(
        document.body, contentType: document.contentType, baseURL: document.finalURL)
    }
  }

  func article(_ page: DocumentResponse) async -> Result<MainContent, ParseError> {
    await run { () throws(ParseError) in
      try PageParser.article(page.body, contentType: page.contentType, url: page.finalURL)
    }
  }

  /// Returns the reason why a page has no article, if the page states one.
  func obstacle(in page: DocumentResponse) async -> FailureDetail? {
    await run { PageParser.obstacle(in: page.body, contentType: page.contentType) }
  }

  /// Returns the address of another version of a page that has no article.
  func otherVersion(of page: DocumentResponse) async -> String? {
    await run {
      PageParser.otherVersion(of: page.body, contentType: page.contentType, url: page.finalURL)
    }
  }

  /// Returns the address to which a page redirects its visitors.
  func refreshTarget(of page: DocumentResponse) async -> String? {
    await run {
      PageParser.refreshTarget(of: page.body, contentType: page.contentType, url: page.finalURL)
    }
  }

  /// Returns the links in one place of a page as a feed.
  func headlines(
    at place: String, of page: DocumentResponse
  ) async -> Result<ParsedFeed, ParseError> {
    await run { () throws(ParseError) in
      try PageParser.headlines(
        at: place, of: page.body, contentType: page.contentType, url: page.finalURL)
    }
  }

  /// Returns the title of a page and its likely groups of headlines.
  func headlineGroups(
    of page: DocumentResponse
  ) async -> (title: String?, groups: [HeadlineGroup]) {
    await run {
      PageParser.headlineGroups(page.body, contentType: page.contentType, url: page.finalURL)
    }
  }

  func outline(_ bytes: [UInt8]) async -> Result<OPML.Outline, ParseError> {
    await run { () throws(ParseError) in try OPML.parse(bytes) }
  }

  func page(_ page: DocumentResponse) async -> Result<String, ParseError> {
    await run { () throws(ParseError) in
      try PageParser.whole(page.body, contentType: page.contentType, url: page.finalURL)
    }
  }

  private func run<T: Sendable>(
    _ body: @escaping @Sendable () throws(ParseError) -> T
  ) async -> Result<T, ParseError> {
    await run { Result(catching: body) }
  }

  private func run<T: Sendable>(_ body: @escaping @Sendable () -> T) async -> T {
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
