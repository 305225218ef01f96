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

  /// Each input would take minutes if a step were quadratic, and takes a fraction of a second in a
  /// debug build.
  @Test(
    "No input takes more than linear time", .timeLimit(.minutes(120)),
    arguments: [
      Hostile { String(repeating: "<div>", count: 100_000) },
      Hostile { String(repeating: "<b>", count: 100_000) },
      Hostile {
        String(repeating: "<b>", count: 50_000) + String(repeating: "</i>", count: 50_000)
      },
      Hostile { String(repeating: "<p><b>", count: 50_000) },
      Hostile { String(repeating: "<a href=\"x>", count: 50_000) },
      Hostile { "<a " + (0..<100_000).map { "a\($0)=x " }.joined() + ">x</a>" },
      Hostile { String(repeating: "<!--", count: 100_000) },
      Hostile { String(repeating: "<!-- -->", count: 50_000) },
      Hostile { String(repeating: "<a b=\">\" ", count: 50_000) },
      Hostile { String(repeating: "<", count: 200_000) },
      Hostile { String(repeating: "&", count: 200_000) },
      Hostile { String(repeating: "&#", count: 100_000) },
      Hostile { String(repeating: "<script>", count: 50_000) },
      Hostile { String(repeating: "<title>x", count: 50_000) },
      Hostile { String(repeating: "<table><tr><td>", count: 30_000) },
      Hostile { String(repeating: "</p>", count: 100_000) },
      Hostile {
        String(repeating: "<b><p>", count: 100) + String(repeating: "</b>", count: 50_000)
      },
      Hostile { String(repeating: "<svg><title>", count: 30_000) },
      Hostile { String(repeating: "<noscript>", count: 50_000) },
      Hostile { String(repeating: "<a href='\"", count: 50_000) },
    ])
  func inputTakesMoreThan(input: Hostile) {
    let html = input.make()
    let clean = HTMLContent.sanitise(html, baseURL: "https://example.org/")
    #expect(clean.utf8.count < html.utf8.count * 12 + 10_000)
    _ = HTMLContent.plainText(html)
    _ = HTMLContent.parse(html)
    _ = HTMLContent.announcedFeeds(in: Array(html.utf8), url: "https://example.org/")
  }
}

/// An input named by its beginning, so that a log does not hold all of it.
struct Hostile: CustomTestStringConvertible, Sendable {
  let make: @Sendable () -> String
  init(_ make: @escaping @Sendable () -> String) { self.make = make }
  var testDescription: String { "\(make().prefix(24))…" }
}
