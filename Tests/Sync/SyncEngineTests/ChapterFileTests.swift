@testable import SyncEngine

@Suite("Files of chapters") final class ChapterFileTests: EngineSuite {
  private static let url = "http://a.example/chapters.json"
  private static let file = """
    {"version": "1.2.0", "chapters": [{"startTime": 0, "title": "Start"}, {"startTime": 187.5,
    "title": "<b>bytes", "url": "/b"}, {"startTime": 9, "title": "No", "toc": false},
    {"startTime": 3723, "title": "End"}]}
    """
  private static let list =
    "<h2>Chapters</h2><p>0:00 Start<br>3:07 <a href=\"http://a.example/b\">"
    + "&lt;b&gt;bytes</a><br>1:02:03 End</p>"

  private func episode(
    _ answer: FakeWeb.Answer = .reply(200, [], file), at url: String = url
  ) async throws -> ArticleID {
    fixture.web.on(url, answer)
    return try await fixture.article(
      "<description>Notes.</description><podcast:chapters url=\"\(url)\"/>"
        + "<enclosure url=\"http://a.example/a.mp3\" type=\"audio/mpeg\"/>")
  }

  /// Opens the article, and does what waits.
  private func open(_ id: ArticleID) async throws {
    try await fixture.rules.noteOpened(id)
    _ = await fixture.controller().runUntilIdle()
  }

  private func text(_ id: ArticleID) throws -> String? {
    try fixture.articles.article(id)?.bodyHTML
  }

  @Test("The opened article, not its feed, requests the file once; the list stays below the notes")
  func opened() async throws {
    let id = try await episode()
    #expect(fixture.web.requests(to: Self.url).isEmpty)
    try await open(id)
    #expect(try text(id) == "Notes." + Self.list)
    #expect(try fixture.articles.article(id)?.ownHTML == "Notes.")
    try await open(id)
    #expect(fixture.web.requests(to: Self.url).map(\.limits.decodedBody) == [256 << 10])
    // The notes change. Then the feed names no file.
    for (element, list) in [("<podcast:chapters url=\"\(Self.url)\"/>", Self.list), ("", "")] {
      fixture.web.on(
        "http://a.example/feed", .feed(rss(item: "<description>New.</description>" + element)))
      fixture.manual.advance(by: .seconds(86_400))
      _ = await fixture.controller().runUntilIdle()
      #expect(try text(id) == "New." + list)
    }
    #expect(fixture.web.requests(to: Self.url).count == 1)
  }

  @Test(
    "What is gone, too large, no list or in the notes is not requested again, other failures are",
    arguments: [
      (FakeWeb.Answer.status(404), 1), (.status(410), 1), (.failure(.tooLarge), 1),
      (.page("<html>"), 1), (.reply(200, [], "{\"chapters\": [{\"title\": 3}, 4, {}]}"), 1),
      (.reply(200, [], "{\"chapters\": [{\"startTime\": 0, \"title\": \"Notes.\"}]}"), 1),
      (.status(500), 2),
    ])
  func failures(answer: FakeWeb.Answer, requests: Int) async throws {
    let url = "http://b.example/chapters.json"
    let id = try await episode(answer, at: url)
    try await open(id)
    try await open(id)
    let asked = fixture.web.requests(to: url)
    #expect(asked.count == requests && asked.allSatisfy { $0.privateAccess == .denied })
    #expect(try text(id) == "Notes.")
  }
}
