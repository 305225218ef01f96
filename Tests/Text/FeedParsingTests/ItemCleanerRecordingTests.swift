@Suite("Recordings in articles") struct ItemCleanerRecordingTests {
  private func files(_ html: String, _ enclosures: [Enclosure] = []) -> [String] {
    let item = ParsedItem(
      id: "1", url: "https://a.example/1", title: "A", contentHTML: html, enclosures: enclosures)
    return ItemCleaner.clean(item, base: nil).enclosures.map {
      "\($0.url) \($0.mimeType) \($0.size ?? -1)"
    }
  }

  @Test("Recordings in an article's text are its files if the server names none") func fromText() {
    #expect(
      files(
        """
        <p>x</p><figure class="enclosure"><audio src="/a.mp3" data-type="audio/mpeg" \
        data-length="12" controls></audio></figure><video><source src="b.mp4" type="video/mp4">\
        <source src="b.webm"></video><audio></audio>
        """) == ["https://a.example/a.mp3 audio/mpeg 12", "https://a.example/b.mp4 video/mp4 -1"])
    #expect(files("<p>about &lt;audio src=x&gt;</p>").isEmpty)
  }

  @Test("Files that the server names are the only ones") func namedByServer() {
    let file = Enclosure(url: "https://a.example/c.mp3", mimeType: "audio/mpeg")
    #expect(files("<audio src=a.mp3></audio>", [file]) == ["https://a.example/c.mp3 audio/mpeg -1"])
  }
}
