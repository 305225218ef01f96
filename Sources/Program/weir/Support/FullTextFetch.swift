import Foundation
import ProgramSettings

/// The text of an article's page, from the cache or requested and awaited.
enum FullTextFetch {
  /// The most seconds of waiting for the engine of another process.
  private static let timeout = 60.0

  /// - Returns: sanitised HTML, and the line below it if the text is only the beginning.
  static func text(
    of article: Article, in session: Session
  ) async throws -> (html: String, ending: String?) {
    if let text = try session.store.reader.fullTexts.fullText(article.id),
      case .found(let html) = text.state
    {
      return (html, FullTextWording.ending(text))
    }
    guard let asked = try await session.store.reader.fullTexts.turnFullText(article.id) else {
      throw CommandFailure("This article has no web page to fetch.")
    }
    _ = await Network.controller(session).runUntilIdle(.requested)
    let deadline = ContinuousClock.now + .seconds(timeout)
    var text = asked
    while true {
      text = try session.store.reader.fullTexts.fullText(article.id) ?? text
      guard text.state == .waiting, ContinuousClock.now < deadline else { break }
      try await Task.sleep(for: .milliseconds(100))
    }
    switch text.state {
    case .found(let html): return (html, FullTextWording.ending(text))
    case .waiting:
      throw CommandFailure(
        "The page hasn\u{2019}t been fetched yet; Weir fetches it when you\u{2019}re online.")
    case .failed(let failure):
      throw CommandFailure(
        "No full article: \(FailureWording.now.happened(failure, at: text.url)).")
    }
  }
}
