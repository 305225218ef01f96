@Suite("Saving pages and keeping articles for later", .ownThreads)
final class LaterCommandTests: OnlineSuite {
  private let page =
    "<html><head><title>The heron</title></head><body><article><p>"
    + String(repeating: "The heron stood in the water, and waited for the fish. ", count: 20)
    + "</p></article></body></html>"

  @Test("A page is saved from arguments or standard input, fetched by the next sync, and listed")
  func save() throws {
    origin.on("/heron", .answer(page))
    let saved = try fixture.weir("save", origin.url("/heron"), "--tag", "birds")
    #expect(saved.output.contains("Saved \u{201C}\(origin.url("/heron"))\u{201D} (article 1)"))
    let again = try fixture.weir("save", input: "\n\(origin.url("/heron"))\n")
    #expect(again.output.contains("Kept for later:"), "\(again)")
    _ = try fixture.weir("sync")
    let objects = try fixture.weir("articles", "--later", "--json").objects()
    #expect(objects.count == 1)
    #expect(objects[0]["title"] as? String == "The heron" && objects[0]["later"] as? Bool == true)
    #expect(try fixture.weir("show", "--full", "1").output.contains("waited for the fish"))
    #expect(try fixture.weir("articles", "is:later", "tag:birds").output.contains("The heron"))
    #expect(try !fixture.weir("export").output.contains("weir:saved"))
    #expect(try fixture.weir("mark", "not-later", "1").code == 0)
    #expect(try fixture.weir("articles", "--later", "--json").objects().isEmpty)
  }

  @Test("A sync names each saved page that could not be fetched, with and without due feeds")
  func failed() throws {
    origin.on("/good", .answer(Feeds.rss("Good", ["A"])))
    let reason = "127.0.0.1 has no such page (404)"
    try fixture.weir("save", origin.url("/one"))
    #expect(
      try fixture.weir("sync").output == "Full texts and files that were asked for: 1 failed\n"
        + "  \(origin.url("/one")): \(reason)\n")

    try fixture.weir("save", origin.url("/two"))
    let lines = try fixture.weir("sync", "--json").lines.map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
    #expect(lines.count == 2)
    #expect(lines.first??["url"] as? String == origin.url("/two"))
    #expect(lines.first??["outcome"] as? String == "failed")
    #expect((lines.first??["failure"] as? [String: Any])?["message"] as? String == reason)

    try fixture.weir("save", origin.url("/three"))
    try fixture.weir("add", "--unchecked", origin.url("/good"))
    let both = try fixture.weir("sync")
    #expect(both.output.hasPrefix("1 feed, 1 new article"), "\(both)")
    #expect(both.output.hasSuffix("\n  \(origin.url("/three")): \(reason)\n"), "\(both)")
  }

  @Test("If one address is no web address, no page is saved") func wrong() throws {
    let fixture = try CommandFixture()
    let outcome = try fixture.start(["save", "https://pages.example/1", "gopher://x"]).outcome()
    #expect(outcome.code == 1 && outcome.errors.contains("gopher://x isn\u{2019}t a web address"))
    #expect(try fixture.weir("articles", "--later", "--json").objects().isEmpty)
  }
}
