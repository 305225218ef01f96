@Suite("Imports and exports on the command line", .ownThreads)
final class ImportExportTests: CommandSuite {
  @Test("Starred articles of another reader arrive once; a truncated file imports nothing")
  func starredImport() throws {
    let item = #"""
      {"id":"1","title":"Tides","alternate":[{"href":"https://a.example/1"}],"content":{"content":"x"},
       "categories":["user/-/label/sea"],"origin":{"streamId":"feed/https://a.example/feed","title":"A"}}
      """#
    let cut = try fixture.weir(
      "import", "--starred", fixture.file("cut.json", "{\"items\":[\(item),"))
    #expect(cut.code == 1 && cut.errors.contains("isn\u{2019}t a file of starred articles"))
    let feed = try fixture.weir(
      "import", "--starred", fixture.file("feed.xml", Feeds.rss("A", ["B"])))
    #expect(feed.errors.contains("it is an XML document of another kind (<rss>)."), "\(feed)")
    #expect(try fixture.weir("articles", "--json").objects().isEmpty)
    let whole = try fixture.file("starred.json", "{\"items\":[\(item)]}")
    let first = try fixture.weir("import", "--starred", whole)
    #expect(
      first.output.contains(
        "Imported 1 starred article; 1 of feeds you do not follow are in Kept"), "\(first)")
    #expect(
      try fixture.weir("import", "--starred", whole).output.contains("Imported 0 starred articles"))
    let articles = try fixture.weir("articles", "--starred", "--json").objects()
    #expect(articles.compactMap { $0["title"] as? String } == ["Tides"])
    #expect(try fixture.weir("feeds", "--json").objects().isEmpty)
    try fixture.reader().waitFor("Kept").type("qQ").exit(0)
  }

  @Test("A broken outline is imported as far as possible, and other files are rejected")
  func brokenImports() throws {
    let broken = try fixture.file(
      "broken.opml",
      Feeds.opml([("A", "https://a.example/"), ("B", "https://b.example/")])
        .replacingOccurrences(of: "</outline></body></opml>", with: "<outline text=\"C"))
    let outcome = try fixture.weir("import", broken)
    #expect(outcome.code == 0)
    #expect(outcome.errors.contains("The file is damaged or ends early: feeds may be missing."))
    #expect(outcome.output == "Imported 2 feeds; the file is damaged or ends early\n")
    #expect(try fixture.weir("feeds", "--json").objects().count == 2)

    for (name, text) in [
      ("picture.opml", "\u{89}PNG\r\n\u{1A}\n"), ("page.html", "<html><body>Hello</body></html>"),
      ("empty", ""),
    ] {
      let refused = try fixture.weir("import", try fixture.file(name, text))
      #expect(refused.code == 1, "\(name)")
      #expect(refused.errors.hasPrefix("weir: "), "\(name): \(refused.errors)")
    }
    let missing = try fixture.weir("import", fixture.home.path + "/nothing.opml")
    #expect(missing.code == 1)
    #expect(missing.errors.contains("no such file"))
    #expect(try fixture.weir("feeds", "--json").objects().count == 2)
  }

  @Test("Imported lines that would run a program or read a file are left out, with a reason")
  func hostileImports() throws {
    let canary = fixture.home.appending(path: "canary").path
    let list = try fixture.file(
      "urls",
      """
      https://good.example/feed "News" "~Good"
      "exec:touch \(canary)"
      filter:touch \(canary):https://good.example/
      file:///etc/passwd
      |touch \(canary)
      """)
    let outcome = try fixture.weir("import", list)
    #expect(outcome.code == 0)
    #expect(outcome.errors.contains("Skipped"))
    let opml = Feeds.opml([
      ("x", "exec:touch \(canary)"), ("y", "|touch \(canary)"), ("z", "file:///etc/passwd"),
      ("f", "filter:touch \(canary):https://a.example/"), ("ok", "https://fine.example/"),
    ])
    let second = try fixture.weir("import", "-", input: opml)
    #expect(second.code == 0)
    #expect(second.output.contains("4 lines skipped"))
    try fixture.weir("sync", "--quiet")
    #expect(!FileManager.default.fileExists(atPath: canary))
    let urls = try fixture.weir("feeds", "--json").objects().compactMap { $0["url"] as? String }
    #expect(urls.allSatisfy { $0.hasPrefix("https://") })
    #expect(urls.count == 2)
  }

  @Test("An export is imported unchanged, including folders and names") func roundTrip() throws {
    let other = try CommandFixture()
    try fixture.weir(
      "add", "--unchecked", "https://a.example/?x=1&y=%22", "--folder", "Outer/In <ner> & \"co\"")
    try fixture.weir("add", "--unchecked", "https://b.example/")
    let file = fixture.home.appending(path: "out.opml").path
    #expect(try fixture.weir("export", file).code == 0)
    #expect(try other.weir("import", file).code == 0)
    #expect(try other.weir("export").output == fixture.weir("export", "-").output)
    #expect(try other.weir("import", file).output.contains("2 already there"))
    let before = try String(contentsOfFile: file, encoding: .utf8)
    try fixture.weir("add", "--unchecked", "https://c.example/")
    let existing = try fixture.weir("export", file)
    #expect(existing.code == 1 && existing.errors.contains("\(file) already exists."))
    #expect(try String(contentsOfFile: file, encoding: .utf8) == before)
    #expect(try fixture.weir("export", "--replace", file).code == 0)
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains("https://c.example/"))
    #expect(try fixture.weir("export", "/dev/null").code == 0)
    let refused = try fixture.weir("export", fixture.home.path + "/no/such/folder/x.opml")
    #expect(refused.code == 1)
    #expect(refused.errors.contains("cannot be written: there is no folder "))
    #expect(refused.errors.contains("/no/such/folder."))
  }
}
