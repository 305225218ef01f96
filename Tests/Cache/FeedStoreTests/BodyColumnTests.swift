import GRDB

@testable import ArticleStore
@testable import CacheCore
@testable import FeedStore

@Suite("The columns of an article's text") final class BodyColumnTests: CacheSuite {
  @Test("The table has the declared columns in their order, besides its keys")
  func declared() throws {
    let columns = try cache.store.database.read { db in
      try db.columns(in: "articleBody").map(\.name)
    }
    let declared = BodyColumns.names.split { !$0.isLetter }.map(String.init)
    #expect(Set(columns) == Set(declared))
  }

  @Test("Each column of an item is stored, and an update that contains it changes it")
  func written() async throws {
    func item(_ number: Int) -> ParsedItem {
      ParsedItem(
        id: "1", url: "https://a.example/1", externalURL: "https://b.example/\(number)",
        title: "One", contentHTML: "<p>Text \(number)</p>", summary: "Summary \(number)",
        imageURL: "https://a.example/\(number).png", datePublished: TestCache.start - 60,
        dateModified: TestCache.start + Double(number), authors: [Author(name: "Author \(number)")],
        tags: ["tag\(number)"], language: "l\(number)", commentsURL: "https://a.example/c\(number)")
    }
    let feed = try await cache.feed("a")
    _ = try await cache.merge(feed, [item(1)])
    let query = ArticleQuery(scope: .feed(feed))
    let id = try #require(try cache.articles.page(query, .top, limit: 1).first?.id)
    for number in 1...2 {
      if number == 2 { _ = try await cache.merge(feed, [item(2)]) }
      let article = try #require(try cache.articles.article(id))
      let wanted = item(number)
      #expect(article.bodyHTML == wanted.contentHTML)
      #expect(article.summary == wanted.summary)
      #expect(article.externalURL == wanted.externalURL)
      #expect(article.commentsURL == wanted.commentsURL)
      #expect(article.imageURL == wanted.imageURL)
      #expect(article.language == wanted.language)
      #expect(article.authors == wanted.authors)
      #expect(article.tags == wanted.tags)
      #expect(article.publishedAt == wanted.datePublished)
      #expect(article.updatedAt == wanted.dateModified)
    }
  }
}
