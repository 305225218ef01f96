@Suite("Identities of feeds and articles") struct IdentityTests {
  @Test(
    "The form of an address that is hashed does not change",
    arguments: [
      ("https://lwn.net/headlines/rss", "lwn.net/headlines/rss"),
      ("HTTP://Me:pw@LWN.net:80/headlines/rss/#top", "lwn.net/headlines/rss"),
      ("https://lwn.net:443//", "lwn.net"), ("https://lwn.net", "lwn.net"),
      ("https://a.example:8443/Feed?B=2&a=1", "a.example:8443/Feed?B=2&a=1"),
      ("https://a.example/?next=/", "a.example/?next=/"),
      ("https://bücher.example./feed", "xn--bcher-kva.example/feed"),
      ("exec:~/bin/mail-feed --folder x", "exec:~/bin/mail-feed --folder x"),
    ])
  func normalized(address: String, form: String) {
    #expect(FeedAddress.normalized(address) == form)
    #expect(FeedKey(address: address) == FeedKey(address: "http://\(form)") || form.contains(":~"))
  }

  @Test("Two feeds of headlines on one page have different keys") func headlines() {
    let page = "https://example.org/news#weir-headlines="
    #expect(FeedKey(address: page + "body/ul/li/a") != FeedKey(address: page + "body/ol/li/a"))
    #expect(FeedKey(address: page + "body/ul/li/a") != FeedKey(address: "https://example.org/news"))
  }

  @Test("Hashes of addresses do not change") func goldenKeys() {
    #expect(FeedKey(address: "https://lwn.net/headlines/rss").text == "9ae3459936b39fec")
    #expect(ObjectID(orderOf: ["News", "Linux"]).text == "812395c1140a6699")
    #expect(ObjectID(orderOf: []).text == "ccab0b28617f1f56")
  }

  @Test(
    "Passwords are removed from addresses, and the removal is marked",
    arguments: [
      ("https://a.example/feed", "https://a.example/feed", false),
      ("https://me:pw@a.example/feed", "https://a.example/feed", true),
      ("https://me@a.example/feed", "https://a.example/feed", true),
      ("file:~/feed.xml", "file:~/feed.xml", false),
      ("filter:~/bin/y:https://me:pw@a.example/", "filter:~/bin/y:https://***@a.example/", true),
      ("exec:curl https://me:pw@a.example/", "exec:curl https://***@a.example/", true),
    ])
  func passwords(address: String, cleaned: String, hadPassword: Bool) throws {
    let result = try #require(FeedAddress.withoutPassword(address))
    #expect(result == (cleaned, hadPassword))
  }

  @Test(
    "Other texts are not addresses of feeds",
    arguments: [
      "", "ftp://a.example/", "javascript:alert(1)", "/etc/passwd", "exec:", "https:///x",
      "https://a.example/\u{1B}[2J",
    ])
  func noAddresses(text: String) { #expect(FeedAddress.withoutPassword(text) == nil) }

  @Test("An address that is too long is not an address of a feed") func longAddress() {
    let address = "https://a.example/" + String(repeating: "x", count: Limits.address)
    #expect(FeedAddress.withoutPassword(address) == nil)
  }
}
