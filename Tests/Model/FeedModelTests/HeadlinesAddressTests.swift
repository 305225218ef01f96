@Suite("Addresses of headlines") struct HeadlinesAddressTests {
  @Test("The place of headlines is stored in the fragment of the page's address")
  func text() throws {
    let address = HeadlinesAddress(page: "https://a.example/n?x=1#top", selector: "body/ul.news/a")
    #expect(address.text == "https://a.example/n?x=1#weir-headlines=body/ul.news/a")
    #expect(HeadlinesAddress(address.text) == address)
    #expect(HeadlinesAddress(address.text)?.page == "https://a.example/n?x=1")
  }

  @Test(
    "Other addresses are not addresses of headlines",
    arguments: [
      "https://a.example/", "https://a.example/#top", "https://a.example/#weir-headlines=",
      "file:///x#weir-headlines=a", "", "#weir-headlines=a",
    ])
  func others(url: String) { #expect(HeadlinesAddress(url) == nil) }
}
