import FeedModel
import Testing

@Suite struct HeadlinesAddressTests {
  @Test("The place of headlines is kept in the fragment of their page's address")
  func text() throws {
    let address = HeadlinesAddress(page: "https://a.example/n?x=1#top", place: "body/ul.news/a")
    #expect(address.text == "https://a.example/n?x=1#weir-headlines=body/ul.news/a")
    #expect(HeadlinesAddress(address.text) == address)
    #expect(HeadlinesAddress(address.text)?.page == "https://a.example/n?x=1")
  }

  @Test(
    "Other addresses are none of headlines",
    arguments: [
      "https://a.example/", "https://a.example/#top", "https://a.example/#weir-headlines=",
      "file:///x#weir-headlines=a", "", "#weir-headlines=a",
    ])
  func others(url: String) { #expect(HeadlinesAddress(url) == nil) }
}
