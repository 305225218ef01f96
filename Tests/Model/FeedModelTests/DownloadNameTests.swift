@Suite("Names of downloads") struct DownloadNameTests {
  @Test(
    "A file name from an address is harmless",
    arguments: [
      ("https://a.example/audio/episode-12.mp3?token=1#t=2", "episode-12.mp3"),
      ("https://a.example/My%20Talk%20(final).m4a", "My Talk (final).m4a"),
      ("https://a.example/%E5%BD%95%E9%9F%B3.mp3", "录音.mp3"),
      ("https://a.example/", "enclosure"), ("https://a.example", "enclosure"),
      ("https://a.example/..", "enclosure"), ("https://a.example/%2e%2e%2fssh", "ssh"),
      ("https://a.example/..%2F..%2F.ssh%2Fx", "ssh_x"),
      ("https://a.example/-rf", "rf"), ("https://a.example/.bashrc", "bashrc"),
      ("https://a.example/a%00b%0A%1B%5B31m.mp3", "a_b___31m.mp3"),
      ("https://a.example/%E2%80%AE3pm.exe", "3pm.exe"),
      ("https://a.example/$(touch%20x)%60y%60;z.mp3", "touch x)_y__z.mp3"),
      ("https://a.example/dots...", "dots"), ("https://a.example/%FF%FE", "FF_FE"),
    ])
  func isHarmless(url: String, name: String) {
    #expect(Download.fileName(of: url) == name)
  }

  @Test("A long file name is cut before its extension") func longNameKeepsExtension() {
    let name = Download.fileName(
      of: "https://a.example/" + String(repeating: "名", count: 300) + ".mp3")
    #expect(name.hasPrefix("名名") && name.hasSuffix("名.mp3"))
    #expect(name.utf8.count <= 180)
    let marks = Download.fileName(
      of: "https://a.example/a" + String(repeating: "\u{301}", count: 500))
    #expect(marks.utf8.count <= 180)
  }
}
