@Suite("Canonical addresses") struct CanonicalAddressTests {
  @Test(
    "Addresses of the same page have the same canonical form",
    arguments: [
      "https://example.org/a/b", "http://example.org/a/b", "https://www.Example.org/a/b/",
      "https://example.org:443/a/b?utm_source=x&utm_medium=y", "https://example.org/a/b#comments",
      "https://example.org/a/b/amp/", "https://example.org/a/b?fbclid=1&at_campaign=2",
    ])
  func theSamePage(address: String) {
    #expect(WebAddress(address).canonical == "example.org/a/b")
  }

  @Test(
    "Parts that distinguish pages are kept",
    arguments: [
      ("https://example.org/a?id=2&utm_id=9&x=1", "example.org/a?id=2&x=1"),
      ("https://example.org/A", "example.org/A"),
      ("https://example.org:8080/a", "example.org:8080/a"),
      ("https://example.org/#!/story/1", "example.org#!/story/1"),
      ("https://example.org/?p=12", "example.org?p=12"),
      ("https://example.org/lamp", "example.org/lamp"),
    ])
  func whatTellsPagesApartStays(address: String, canonical: String) {
    #expect(WebAddress(address).canonical == canonical)
  }

  @Test(
    "An address that names no page has no canonical form",
    arguments: [
      "https://example.org", "http://www.example.org/", "mailto:a@b", "/a", "", "https://",
    ])
  func whatNamesNoPage(address: String) {
    #expect(WebAddress(address).canonical == nil)
  }
}
