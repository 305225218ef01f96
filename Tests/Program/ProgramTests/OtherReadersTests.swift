import Importers

@Suite("The lists of other readers at the first start") struct OtherReadersTests {
  private final class Home {
    let url = FileManager.default.temporaryDirectory
      .appending(path: "weir-places-\(UUID().uuidString)")

    deinit { try? FileManager.default.removeItem(at: url) }

    @discardableResult func file(_ path: String, _ text: String, age: Double = 0) throws -> String {
      let file = url.appending(path: path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: file.path)
      return file.path
    }

    func lists(_ variables: [String: String] = [:]) -> [ImportOffer] {
      OtherReaders(home: url.path) { variables[$0] }.lists()
    }
  }

  private static func opml(_ count: Int) -> String {
    let outlines = (0..<count).map {
      "<outline type=\"rss\" text=\"F\($0)\" xmlUrl=\"https://f\($0).example/feed\"/>"
    }
    return "<opml version=\"2.0\"><body>\(outlines.joined())</body></opml>"
  }

  @Test("Each reader's list is found with the number of its feeds, downloads last and newest first")
  func found() throws {
    let home = Home()
    try home.file(
      ".newsboat/urls", "https://a.example/feed\nhttps://b.example/feed \"tag\"\n# note\n")
    try home.file(".config/newsraft/feeds", "@ News\nhttps://c.example/feed \"C\"\n")
    try home.file(".config/liferea/feedlist.opml", Self.opml(3))
    try home.file(".local/share/akregator/data/feeds.opml", Self.opml(4))
    try home.file(
      ".emacs.d/init.el",
      "(setq elfeed-feeds '(\"https://d.example/feed\" \"https://e.example/f\"))")
    try home.file("Downloads/old.opml", Self.opml(5), age: 500)
    try home.file("Downloads/new.OPML", Self.opml(6), age: 5)
    let lists = home.lists()
    #expect(
      lists.map(\.reader)
        == ["newsboat", "newsraft", "Liferea", "Akregator", "elfeed", "OPML", "OPML"])
    #expect(lists.map(\.feeds) == [2, 1, 3, 4, 2, 6, 5])
    #expect(lists[0].path == home.url.path + "/.newsboat/urls")
    #expect(lists[5].path.hasSuffix("/Downloads/new.OPML"))
  }

  @Test("Folders from environment variables come first, and relative paths are ignored")
  func environment() throws {
    let home = Home()
    try home.file("conf/newsboat/urls", "https://a.example/feed\n")
    try home.file(".newsboat/urls", "https://a.example/feed\nhttps://b.example/feed\n")
    #expect(home.lists(["XDG_CONFIG_HOME": home.url.path + "/conf"]).map(\.feeds) == [1])
    #expect(home.lists(["XDG_CONFIG_HOME": "conf"]).map(\.feeds) == [2])
  }

  @Test("Files without feeds, folders, pipes and large files are not found") func ignored() throws {
    let home = Home()
    #expect(home.lists().isEmpty)
    try home.file(".emacs", ";; https://a.example/feed\n(setq x 1)\nhttps://b.example/feed\n")
    try home.file("Downloads/empty.opml", Self.opml(0))
    try home.file("Downloads/broken.opml", "\u{0}\u{1}")
    try home.file("Downloads/large.opml", Self.opml(1) + String(repeating: " ", count: 9 << 20))
    try home.file("Downloads/folder.opml/file", "")
    #expect(mkfifo(home.url.appending(path: "Downloads/pipe.opml").path, 0o600) == 0)
    #expect(home.lists().isEmpty)
  }
}
