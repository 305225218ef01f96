import FeedModel
import Testing

@Suite("Templates for names of downloads") struct DownloadNameTemplateTests {
  private func values(
    feed: String = "A Feed", title: String = "One", url: String = "https://a.example/t/talk.mp3",
    type: String = "audio/mpeg"
  ) -> DownloadNameTemplate.Values {
    DownloadNameTemplate.Values(
      feed: feed, title: title, author: "Ann", date: "2026-11-22", url: url, mimeType: type)
  }

  private func path(_ text: String, _ values: DownloadNameTemplate.Values) throws -> String {
    try #require(DownloadNameTemplate(text)).path(values).joined(separator: " / ")
  }

  @Test("Placeholders are replaced in the folders and the name")
  func usual() throws {
    #expect(
      try path("{feed}/{date} {title}.{ext}", values()) == "A Feed / 2026-11-22 One.mp3")
    #expect(try path("Pods/{author} - {name}.{ext}", values()) == "Pods / Ann - talk.mp3")
  }

  @Test("The extension comes from the address, or else from the media type, or is missing")
  func endings() throws {
    let template = "{name}.{ext}"
    #expect(try path(template, values(url: "https://a.example/f?x=1")) == "f.mp3")
    #expect(
      try path(template, values(url: "https://a.example/v1.2", type: "audio/ogg")) == "v1.2.ogg")
    #expect(try path(template, values(url: "https://a.example/f", type: "x/y")) == "f")
    #expect(
      try path(template, values(url: "https://a.example/a.m4a?x.exe", type: "")) == "a.m4a")
  }

  @Test(
    "No text of a feed adds a folder, leads out of one, or hides a file",
    arguments: [
      "../../.ssh/authorized_keys", "/etc/passwd", "..", ".", "...", "-rf", ".bashrc", "a/../../b",
      "\u{202E}3pm", "a\u{0}b\n", "\\..\\x", "~/x", "", " ", "🎉", "{feed}",
    ])
  func harmless(text: String) throws {
    let template = try #require(DownloadNameTemplate("{feed}/{title}.{ext}"))
    let path = template.path(values(feed: text, title: text))
    #expect(path.count == 2)
    for part in path {
      #expect(!part.contains("/") && !part.contains("\\") && !part.isEmpty)
      #expect(!part.hasPrefix(".") && !part.hasPrefix("-") && !part.hasPrefix("~"))
      #expect(!part.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
    }
    #expect(path[1].hasSuffix(".mp3"))
  }

  @Test("Long names are cut separately and keep their extension")
  func long() throws {
    let template = try #require(DownloadNameTemplate("{feed}/{title}.{ext}"))
    let text = String(repeating: "名", count: 400)
    let path = template.path(values(feed: text, title: text))
    #expect(path.allSatisfy { $0.utf8.count <= 180 })
    #expect(path[1].hasSuffix("名.mp3"))
  }

  @Test(
    "An invalid template is rejected",
    arguments: [
      "", "/{title}", "{title}/", "a//b", "../{title}", "{titel}", "{title", "title}", "{}",
      "{{title}}", ".{title}", "{feed}/./{title}", "a/b/c/d/e/{title}", "a\n{title}", "---",
    ])
  func none(text: String) {
    #expect(DownloadNameTemplate(text) == nil)
  }
}
