import FeedModel
import FeedParsing
import Testing

/// An item has the same identity in every fetch.
@Suite struct IdentityTests {
  private func ids(_ items: String) throws -> [String] {
    try parse(rss(items), baseURL: "https://e.org/feed").items.map(\.id)
  }

  @Test func theGuidIsTakenAsWritten() throws {
    #expect(try ids("<item><guid> /relative?a=1 </guid></item>") == ["/relative?a=1"])
  }

  @Test func withoutAGuidTheAddressIsTheIdentity() throws {
    #expect(try ids("<item><link>/1</link><title>A</title></item>") == ["https://e.org/1"])
  }

  @Test func anAddressThatSeveralItemsShareIsNotEnough() throws {
    let ids = try ids(
      "<item><link>/</link><title>A</title></item><item><link>/</link><title>B</title></item>")
    #expect(Set(ids).count == 2)
  }

  @Test func withNeitherWhatTheItemSaysIsItsIdentity() throws {
    let first = try ids("<item><title>A</title></item><item><description>x</description></item>")
    let second = try ids(
      "<item><title>New</title></item><item><title>A</title></item>"
        + "<item><description>x</description></item>")
    #expect(Set(first).count == 2)
    #expect(Array(second.dropFirst()) == first)
    #expect(first.allSatisfy { !$0.isEmpty })
  }

  @Test func theIdentityOfAnEmptyItemIsNotEmpty() throws {
    #expect(try ids("<item/>").first?.isEmpty == false)
  }

  @Test func theDigestNeverChanges() throws {
    // Kept in caches: a change here would show every article of such feeds anew.
    #expect(try ids("<item><title>A</title></item>") == ["6882b20a0a757277b806e92d99a55b0c"])
  }
}
