@testable import FeedParsing

@Suite("The identity of items") struct IdentityTests {
  private func ids(_ items: String) throws -> [String] {
    try parse(rss(items), baseURL: "https://e.org/feed").items.map(\.id)
  }

  @Test("A guid is used as written") func theGuidIsTakenAsWritten() throws {
    #expect(try ids("<item><guid> /relative?a=1 </guid></item>") == ["/relative?a=1"])
  }

  @Test("Without a guid the address is the identity") func addressIsTheIdentity() throws {
    #expect(try ids("<item><link>/1</link><title>A</title></item>") == ["https://e.org/1"])
  }

  @Test("Without a usable base a reference stays unchanged") func withoutABase() {
    #expect(Base(nil).resolve("/x") == "/x")
    #expect(Base("example.org/feed").resolve("/x") == "/x")
    #expect(Base(nil).resolve("https://e.org/./x") == "https://e.org/./x")
  }

  @Test("An address that several items share does not identify an item")
  func sharedAddress() throws {
    let ids = try ids(
      "<item><link>/</link><title>A</title></item><item><link>/</link><title>B</title></item>")
    #expect(Set(ids).count == 2)
    // Earlier items do not change their identities.
    let later = try self.ids(
      "<item><link>/</link><title>C</title></item><item><link>/</link><title>A</title></item>"
        + "<item><link>/</link><title>B</title></item>")
    #expect(Array(later.dropFirst()) == ids)
  }

  @Test("An item with its own address keeps its identity when its title changes")
  func titleMayChange() throws {
    #expect(
      try ids("<item><link>/1</link><title>A</title></item>")
        == ids("<item><link>/2</link></item><item><link>/1</link><title>B</title></item>").suffix(1)
    )
  }

  @Test("An Atom id is resolved only against an absolute base in the document")
  func atomIDNeedsAbsoluteBase() throws {
    func id(_ attributes: String, from address: String) throws -> String? {
      let text = "<feed xmlns=\"http://www.w3.org/2005/Atom\" \(attributes)><title>T</title>"
      return try parse(text + "<entry><id>a/1</id></entry></feed>", baseURL: address).items.first?
        .id
    }
    #expect(try id("", from: "https://e.org/x") == "a/1")
    #expect(try id("xml:base=\"b/\"", from: "https://e.org/x") == "a/1")
    let absolute = "xml:base=\"https://f.org/b/\""
    #expect(try id(absolute, from: "https://e.org/x") == "https://f.org/b/a/1")
    #expect(try id(absolute, from: "http://mirror.example/") == "https://f.org/b/a/1")
  }

  @Test("Without guid and address the content of an item is its identity")
  func contentIsTheIdentity() throws {
    let first = try ids("<item><title>A</title></item><item><description>x</description></item>")
    let second = try ids(
      "<item><title>New</title></item><item><title>A</title></item>"
        + "<item><description>x</description></item>")
    #expect(Set(first).count == 2)
    #expect(Array(second.dropFirst()) == first)
    #expect(first.allSatisfy { !$0.isEmpty })
  }

  @Test("Items that have the same title and no own id or address are distinguished by their dates")
  func repeatedTitles() throws {
    func item(_ day: Int, _ more: String = "") -> String {
      "<item><title>Progress report</title>\(more)"
        + "<pubDate>0\(day) Jul 2024 10:00:00 GMT</pubDate></item>"
    }
    for more in ["", "<link>/news</link>", "<link>/</link>"] {
      let first = try ids(item(3, more) + item(2, more) + item(1, more))
      #expect(Set(first).count == 3)
      let next = try ids(item(4, more) + item(3, more) + item(2, more))
      #expect(Array(next.dropFirst()) == Array(first.prefix(2)))
    }
    // Without a date of publication, the date of change counts, and then the text.
    func entry(_ day: Int) -> String {
      "<entry><title>A</title><updated>2024-07-0\(day)T00:00:00Z</updated></entry>"
    }
    #expect(Set(try parse(atom(entry(1) + entry(2))).items.map(\.id)).count == 2)
    let texts = "<item><title>A</title><description>x</description></item>"
    #expect(Set(try ids(texts + texts.replacing(">x<", with: ">y<"))).count == 2)
    // An item that is listed twice is one item.
    let alone = try ids(item(1))
    #expect(Set(try ids(item(1) + item(1))) == Set(alone))
    // The identity of an item without an address contains the date even if its title is unique.
    #expect(try ids(item(1) + item(2)).first == alone.first)
  }

  @Test("The identity of an empty item is not empty") func emptyItemHasAnIdentity() throws {
    #expect(try ids("<item/>").first?.isEmpty == false)
  }

  @Test("The digest of an identity never changes") func theDigestNeverChanges() throws {
    // Caches store the digest: a change would show every article of such feeds again.
    #expect(try ids("<item><title>A</title></item>") == ["6882b20a0a757277b806e92d99a55b0c"])
  }

  @Test("The identity of an item without guid, link and date does not depend on later items")
  func laterItems() throws {
    let old = "<item><title>News</title><description>First</description></item>"
    let new = "<item><title>News</title><description>Second</description></item>"
    let before = try parse(rss(old)).items.map(\.id)
    let after = try parse(rss(new + old)).items.map(\.id)
    #expect(after.last == before.first)
    #expect(Set(after).count == 2)
  }

  @Test("References in a CDATA link are decoded, and an @ in a name is kept")
  func linksAndNames() throws {
    let item = try #require(
      try parse(
        rss(
          "<item><link><![CDATA[https://a.example/?a=1&amp;b=2]]></link>"
            + "<author>Dipen @ Comfort Keepers</author></item>")
      ).items.first)
    #expect(item.url == "https://a.example/?a=1&b=2")
    #expect(item.authors.map(\.name) == ["Dipen @ Comfort Keepers"])
  }
}
