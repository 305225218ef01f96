@Suite("XML syntax") struct XMLTests {
  private func title(_ text: String) throws -> String? { try parse(text).items.first?.title }

  @Test(
    "Constructs of well-formed XML are read",
    arguments: [
      ("<title><![CDATA[a ]] > <b> &amp; c]]></title>", "a ]] > <b> & c"),
      ("<title>a<!-- > --- \"' -->b</title>", "ab"),
      ("<title>a<?php echo \"<b> -> \" ?>b</title>", "ab"),
      ("<title\n  lang = 'x > y'\t>a</title >", "a"),
      ("<title>a&#x41;&#66;&quot;&apos;</title>", "aAB\"'"),
      ("<title>&lt;&gt;</title>", "<>"),
      ("<ttl:title xmlns:ttl=\"http://purl.org/rss/1.0/\">a</ttl:title>", "a"),
      ("<title xmlns=\"urn:nobody\">a</title><title>b</title>", "b"),
      ("<x xmlns=\"urn:nobody\"><title>a</title></x><title>b</title>", "b"),
    ])
  func wellFormedXMLIsRead(item: String, title: String) throws {
    #expect(try self.title(rss("<item>\(item)</item>")) == title)
  }

  @Test("A prefix has the meaning of the innermost declaration")
  func innermostPrefixCounts() throws {
    let item = """
      <item xmlns:a="http://purl.org/dc/elements/1.1/"><x xmlns:a="urn:nobody"><a:creator>no\
      </a:creator></x><a:creator>yes</a:creator></item><item><a:creator>none</a:creator></item>
      """
    let items = try parse(rss(item)).items
    #expect(items.map { $0.authors.map(\.name) } == [["yes"], []])
  }

  @Test("References in attributes are decoded") func attributeReferences() throws {
    let feed = try parse(
      atom("<entry><link title='x' href='https://e.org/?a=1&amp;b=&#50;'/><id>1</id></entry>"))
    #expect(feed.items.first?.url == "https://e.org/?a=1&b=2")
  }

  @Test("XHTML keeps its markup with any prefix") func xhtmlWithAnyPrefix() throws {
    let entry = """
      <entry><id>1</id><content type="xhtml"><h:div xmlns:h="http://www.w3.org/1999/xhtml">\
      <h:p class="a &gt; b">x &lt; y<h:br/><![CDATA[<z>]]></h:p><h:i/></h:div></content></entry>
      """
    #expect(
      try parse(atom(entry)).items.first?.contentHTML
        == "<p class=\"a &gt; b\">x &lt; y<br>&lt;z&gt;</p><i></i>")
  }

  @Test("Only a single wrapping div is removed") func wrappingDivIsRemoved() throws {
    func content(_ inner: String) throws -> String? {
      let text = "<entry><id>1</id><content type=\"xhtml\">\(inner)</content></entry>"
      return try parse(atom(text)).items.first?.contentHTML
    }
    #expect(try content(" <div>a<div>b</div></div> ") == "a<div>b</div>")
    #expect(try content("<div>a</div><div>b</div>") == "<div>a</div><div>b</div>")
    #expect(try content("x<div>a</div>") == "x<div>a</div>")
    #expect(try content("<p>a</p>") == "<p>a</p>")
  }

  @Test("A language is cleaned of control characters") func languageIsCleaned() throws {
    let feed = try parse(
      "<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"e\u{9B}31m\u{202E}n\"><title>T</title></feed>"
    )
    #expect(feed.language?.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x9B } == false)
    #expect(feed.language?.unicodeScalars.contains("\u{202E}") == false)
  }

  @Test(
    "Characters that do not form a tag are text",
    arguments: [("a <b", "a <b"), ("1 < 2 > 0", "1 < 2 > 0"), ("a <!-- b", "a"), ("x<", "x<")])
  func whatIsNoTagIsText(written: String, title: String) throws {
    let text = rss(
      "<item><title>\(written)</title><guid>1</guid></item><item><title>B</title></item>")
    let items = try parse(text).items
    #expect(items.last?.title == "B")
    #expect(items.first?.id == "1")
    #expect(items.first?.title == title)
  }

  @Test("Items without end tags are items") func unclosedItemsAreItems() throws {
    let items = try parse(
      rss("<item><title>A</title><link>https://e.org/a</link><item><title>B</title><item><title>C")
    )
    .items
    #expect(items.map(\.title) == ["A", "B", "C"])
  }

  private func withEntities(_ declarations: String, _ text: String) throws -> ParsedItem? {
    try parse("<!DOCTYPE rss [\(declarations)]>" + rss("<item>\(text)</item>")).items.first
  }

  @Test("Entities that the document declares are replaced by their plain text")
  func declaredEntities() throws {
    let declarations =
      "<!-- <!ENTITY co 'no'> --> <!ENTITY co \"Weir &amp; 'Sons'\"><!ENTITY site 'https://e.org'>"
      + "<!ENTITY by \"by &co;\"><!ENTITY co 'second'><!ENTITY nbsp '&#160;'>"
    let item = try withEntities(
      declarations,
      "<title>&co; &by;</title><link>&site;/1</link><enclosure url='&site;/&#49;.mp3' type='a/b'/>"
        + "<description>&lt;p&gt;&co;&lt;/p&gt;<![CDATA[ &co;]]></description>")
    #expect(item?.title == "Weir & 'Sons' by Weir & 'Sons'")
    #expect(item?.url == "https://e.org/1")
    #expect(item?.enclosures.map(\.url) == ["https://e.org/1.mp3"])
    let outline = try OPML.parse(
      Array(
        ("<!DOCTYPE opml [<!ENTITY h 'e.org'>]><opml><body><outline xmlUrl='https://&h;/feed'/>"
          + "</body></opml>").utf8))
    #expect(outline.entries.map(\.url) == ["https://e.org/feed"])
  }

  @Test(
    "Entities with markup, from outside or deeply nested, stay as written",
    arguments: [
      "<!ENTITY co '<b>x</b>'>", "<!ENTITY co '&#60;b>'>",
      "<!ENTITY co SYSTEM 'file:///etc/passwd'>",
      "<!ENTITY co PUBLIC 'a' 'b'>", "<!ENTITY % co 'x'>", "<!ENTITY co '&co;'>",
      "<!ENTITY a 'x'><!ENTITY b '&a;'><!ENTITY co '&b;'>", "<!ENTITY co 'x'", "<!ENTITY co",
    ])
  func otherEntities(declarations: String) throws {
    #expect(try withEntities(declarations, "<title>a &co; b</title>")?.title == "a &co; b")
  }

  @Test("Predefined entities cannot be redeclared") func predefinedEntities() throws {
    let item = try withEntities("<!ENTITY amp 'x'><!ENTITY lt 'y'>", "<title>a &amp; &lt;</title>")
    #expect(item?.title == "a & <")
  }
}
