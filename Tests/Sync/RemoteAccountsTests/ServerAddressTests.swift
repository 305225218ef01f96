import RemoteAccounts

@Suite("Addresses of servers") struct ServerAddressTests {
  @Test(
    "An address copied from the browser leads to the server's API",
    arguments: [
      ("https://rss.example/i/", "https://rss.example/api/greader.php"),
      ("https://rss.example/i/?a=normal&get=f_2#x", "https://rss.example/api/greader.php"),
      (
        "https://h.example/FreshRSS/p/i/index.php?c=auth",
        "https://h.example/FreshRSS/p/api/greader.php"
      ),
      ("https://rss.example/api/greader.php", "https://rss.example/api/greader.php"),
      (
        "https://rss.example/api/greader.php/reader/api/0/token",
        "https://rss.example/api/greader.php"
      ),
      ("https://rss.example/api/fever.php", "https://rss.example/api/greader.php"),
      ("https://mini.example/feeds", "https://mini.example"),
      ("https://mini.example/rss/feed/12/entries", "https://mini.example/rss"),
      ("https://mini.example/unread/entry/7", "https://mini.example"),
      ("mini.example/", "https://mini.example"),
      ("http://10.0.0.1:8080/settings", "http://10.0.0.1:8080"),
    ])
  func asTheBrowserShowsIt(typed: String, api: String) {
    #expect(ServerAddress.candidates(typed, kind: .googleReader).first == api)
  }

  @Test("An address without a known path is tried unchanged, and then with the usual paths added")
  func candidates() {
    #expect(
      ServerAddress.candidates("https://rss.example", kind: .googleReader)
        == [
          "https://rss.example", "https://rss.example/api/greader.php",
          "https://rss.example/plugins.local/freshapi/api/greader.php",
        ])
    #expect(
      ServerAddress.candidates("https://rss.example/api/", kind: .fever)
        == ["https://rss.example/api", "https://rss.example/api/fever.php"])
    #expect(
      ServerAddress.candidates("https://rss.example/feeds", kind: .fever)
        == [
          "https://rss.example/fever", "https://rss.example/feeds",
          "https://rss.example/feeds/fever", "https://rss.example/feeds/api/fever.php",
          "https://rss.example/feeds/plugins.local/fever",
        ])
    #expect(ServerAddress.candidates("mailto://x", kind: .fever).isEmpty)
  }
}
