@Suite("Entries of one address in a list") struct OutlineEntryTests {
  private func entry(_ folder: [String], tags: [String] = [], title: String? = nil) -> OutlineEntry
  {
    OutlineEntry(url: "https://a.example/feed", title: title, folder: folder, tags: tags)
  }

  @Test("The first folder is kept, before or after the top level, and others become tags")
  func folders() {
    let other = OutlineEntry(url: "https://b.example/feed")
    let joined = OutlineEntry.joined([
      entry([], tags: ["a"]), other, entry(["blogs", "tech"], tags: ["a", "b"], title: "A"),
      entry(["news"], title: "Other"), entry([]), entry(["blogs", "tech"]),
    ])
    #expect(joined.map(\.url) == ["https://a.example/feed", "https://b.example/feed"])
    #expect(joined[0].folder == ["blogs", "tech"])
    #expect(joined[0].tags == ["a", "b", "news"])
    #expect(joined[0].title == "A")
    #expect(joined[1] == other)
  }

  @Test("An address in very many folders gets a limited number of tags") func manyFolders() {
    let joined = OutlineEntry.joined((0..<500).map { entry(["folder \($0)"]) })
    #expect(joined.count == 1)
    #expect(joined[0].tags.count == 50)
  }
}
