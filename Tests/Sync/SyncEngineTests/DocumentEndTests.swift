@testable import FeedParsing
@testable import SyncEngine

@Suite("The end of a document") struct DocumentEndTests {
  @Test(
    "A complete document has reached its end",
    arguments: [
      rss("A"), "<?xml version='1.0'?><!-- <a> --><RSS><channel></channel></rss >\n<!-- cached -->",
      "<rdf:RDF xmlns:rdf='x'><item></item></rdf:RDF>", "<feed><entry/></feed><script>x</script>",
      "<br /><rss><channel></channel></rss>", "<channel><item></item></channel>\n",
    ])
  func completeDocumentHasEnded(text: String) {
    #expect(DocumentEnd.isReached(Array(text.utf8)))
    let wide = text.utf16.flatMap { unit in
      [UInt8(truncatingIfNeeded: unit >> 8), UInt8(truncatingIfNeeded: unit)]
    }
    #expect(DocumentEnd.isReached(wide))
  }

  @Test("A document that is cut at any byte has not reached its end")
  func cutDocumentHasNotEnded() {
    let documents = [
      (rss("A"), from: 60),
      ("<feed><x:y></x:y><feedburner:x></feedburner:x><entry></entry></feed>", from: 10),
    ]
    for (text, start) in documents {
      let bytes = Array(text.utf8)
      let cuts = (start..<bytes.count).filter { DocumentEnd.isReached(Array(bytes[..<$0])) }
      #expect(cuts.isEmpty)
    }
  }

  @Test("A JSON document has reached its end when all of its brackets are closed")
  func jsonClosesWhatItOpens() {
    let text = "{\"version\":\"1\",\"items\":[{\"id\":\"]}\\\"\"},{\"id\":[\"b\"]}]}"
    let bytes = Array(text.utf8)
    #expect(DocumentEnd.isReached(bytes + [0x20, 0x0A]))
    for length in 1..<bytes.count {
      #expect(!DocumentEnd.isReached(Array(bytes[..<length])), "\(length)")
    }
  }
}
