import SoakSupport
import TextRules

@testable import HTMLContent

@Suite("Reading HTML") struct ReadingTests {
  @Test("The table of references holds every name of the standard") func everyReferenceIsKnown() {
    #expect(CharacterReferences.count == 2125)
    #expect(HTMLContent.plainText("&CounterClockwiseContourIntegral;&fjlig;&nGtv;&AMP") == "∳fj≫̸&")
  }

  @Test("Names of elements are found whatever their case") func namesElementsFoundTheir() {
    for tag in HTMLTag.allCases.dropFirst() {
      #expect(HTMLTag.byName[PackedName(tag.name.uppercased())] == tag)
    }
    #expect(HTMLTag.byName[PackedName("nosuchelement")] == nil)
    #expect(PackedName("averyveryverylongname") == PackedName("AVERYVERYVERYLONGNAME"))
    #expect(PackedName("averyveryverylongname") != PackedName("averyveryverylongnamf"))
  }

  @Test("A tree holds elements, attributes and decoded text") func treeIsDecoded() {
    let tree = HTMLContent.parse("<P Class=a class=b>x &amp; <custom-x>y</custom-x><br></P>")
    #expect(
      tree == [
        .element(
          HTMLElement(
            name: "p", attributes: [("class", "a")],
            children: [
              .text("x & "), .element(HTMLElement(name: "custom-x", children: [.text("y")])),
              .element(HTMLElement(name: "br")),
            ]))
      ])
  }

  @Test("Nesting has a limit and text has none") func nestingLimitTextNone() {
    let deep =
      String(repeating: "<div>", count: 1000) + "x" + String(repeating: "</div>", count: 1000)
    let html = HTMLContent.sanitise(deep + "<p>y</p>")
    #expect(html.split(separator: "<div>", omittingEmptySubsequences: false).count - 1 == 256)
    #expect(html.hasSuffix("</div><p>y</p>"))
    #expect(HTMLContent.sanitise(html) == html)
    #expect(HTMLContent.plainText(deep) == "x")
  }

  /// The first string is there once, and each other one as often as a step asks for, with its
  /// number in place of `§`.
  @Test(
    "No input takes more than linear time",
    arguments: [
      ["", "<div>"], ["", "<b>"], ["", "<b>", "</i>"], ["", "<p><b>"], ["", "<a href=\"x>"],
      ["<a ", "a§=x "], ["", "<!--"], ["", "<!-- -->"], ["", "<a b=\">\" "], ["", "<"], ["", "&"],
      ["", "&#"], ["", "<script>"], ["", "<title>x"], ["", "<table><tr><td>"], ["", "</p>"],
      [String(repeating: "<b><p>", count: 100), "</b>"], ["", "<svg><title>"], ["", "<noscript>"],
      ["", "<a href='\""],
    ])
  func inputTakesMoreThan(parts: [String]) {
    let growth = ThreadTime.growth(times: Soak.length(short: 16, long: 128)) { count in
      parts[0]
        + parts.dropFirst().map { part in
          (0..<count).map { part.replacing("§", with: "\($0)") }.joined()
        }.joined()
    } _: { html in
      let clean = HTMLContent.sanitise(html, baseURL: "https://example.org/")
      #expect(clean.utf8.count < html.utf8.count * 12 + 10_000)
      _ = HTMLContent.plainText(html)
      _ = HTMLContent.parse(html)
      _ = HTMLContent.announcedFeeds(in: Array(html.utf8), url: "https://example.org/")
    }
    #expect(growth < ThreadTime.linear)
  }
}
