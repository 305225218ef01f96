@Suite("Paywalls") struct PaywallTests {
  private static let sentence = "The council met on Monday, and it decided to wait another year. "

  private func obstacle(
    data: String = "", sentences: Int = 6, end: String = "", after: String
  ) throws -> FailureDetail? {
    let script =
      data.isEmpty
      ? ""
      : """
      <script type="application/ld+json">{"@type": "NewsArticle", "headline": "Waiting", \(data)}
      </script>
      """
    let text = String(repeating: "<p>\(Self.sentence)</p>", count: sentences - 1)
    let page = """
      <html><head>\(script)</head><body><nav><a href="/s">For subscribers</a></nav><article>
      <h1>Waiting</h1><div class="paid">\(text)<p>\(Self.sentence)\(end)</p></div>\(after)</article>
      <footer>Already a subscriber?</footer></body></html>
      """
    let found = HTMLContent.mainContent(of: Array(page.utf8), url: "https://news.example/1")
    let content = try #require(found)
    #expect(content.html.contains("The council met"))
    return content.obstacle
  }

  private static let invitation = "<div><p>Subscribe to continue reading.</p></div>"

  @Test(
    "The beginning of an article for subscribers is recognised by a second sign",
    arguments: [
      (#""isAccessibleForFree": false"#, "", invitation),
      (#""isAccessibleForFree": "http://schema.org/False""#, "", invitation),
      (#""hasPart": {"isAccessibleForFree": "False", "cssSelector": ".rest"}"#, "", invitation),
      (
        #""isAccessibleForFree": false"#, "",
        "<div><span>To Read the Full Story</span><a href=/s>Subscribe</a></div>"
      ),
      ("", "He paused …", invitation), ("", "All...", invitation),
      ("", "He said [...]", invitation),
      ("", "", "<div class='article-paywall'><h2>This post is for paid subscribers</h2></div>"),
      (
        "", "",
        "<aside data-paywall-id=3><p>Already a subscriber? <a href=/l>Log in</a></p></aside>"
      ),
      ("", "", "<section id=paywall><p>Nur für Abonnenten</p></section>"),
      ("", "", "<div class=paywall><p>La suite est réservée aux abonnés.</p></div>"),
    ])
  func beginning(data: String, end: String, after: String) throws {
    #expect(try obstacle(data: data, end: end, after: after) == .subscriberPage)
  }

  @Test("Microdata can mark an article as for subscribers only") func microdata() throws {
    let text = String(repeating: "<p>\(Self.sentence)</p>", count: 6)
    let page = """
      <html><body><article itemscope itemtype="https://schema.org/NewsArticle">
      <meta itemprop="isAccessibleForFree" content="False">\(text)\(Self.invitation)</article></body></html>
      """
    let found = HTMLContent.mainContent(of: Array(page.utf8), url: "https://news.example/1")
    #expect(found?.obstacle == .subscriberPage)
  }

  @Test(
    "A complete article is not taken for its beginning",
    arguments: [
      // One sign alone.
      (#""isAccessibleForFree": false"#, 6, "", ""), ("", 6, "", invitation), ("", 6, "All...", ""),
      (#""isAccessibleForFree": true"#, 6, "", invitation),
      // The part for subscribers is there.
      (
        #""isAccessibleForFree": false, "hasPart": {"isAccessibleForFree": false, "cssSelector": ".paid"}"#,
        6, "", invitation
      ),
      // The text has as many words as the page states, or more than a beginning has.
      (#""isAccessibleForFree": false, "wordCount": 70"#, 6, "", invitation),
      (#""isAccessibleForFree": false"#, 60, "", invitation),
      // The box of a metered paywall is hidden, or does not ask for a subscription.
      ("", 6, "", "<div class=paywall style='display:none'><p>Subscribe to read</p></div>"),
      ("", 6, "", "<div class=paywall><p>Read our other articles</p></div>"),
    ])
  func whole(data: String, sentences: Int, end: String, after: String) throws {
    #expect(try obstacle(data: data, sentences: sentences, end: end, after: after) == nil)
  }
}
