@testable import HTMLContent

@Suite("Pictures in several widths") struct SourceSetTests {
  @Test(
    "The narrowest picture that is wide enough for a text is used, or else the widest",
    arguments: [
      ("a.jpg 300w, b.jpg 1024w, c.jpg 2048w", "b.jpg"), ("c.jpg 2048w, b.jpg 1536w", "b.jpg"),
      ("a.jpg 300w, b.jpg 768w", "b.jpg"), ("b.jpg 768w,a.jpg 300w", "b.jpg"),
      (" a,b.jpg 1200w 800h,\n c.jpg 1100w ", "c.jpg"), ("a.jpg 99999999999999999999w", nil),
      ("a.jpg", nil), ("a.jpg 1x, b.jpg 2x", nil), ("", nil), (",,, ,", nil), ("a.jpg 0w", nil),
    ])
  func widths(_ set: String, expected: String?) {
    let found = SourceSet.byWidth(Array(set.utf8)).map { String(decoding: $0, as: UTF8.self) }
    #expect(found == expected)
  }

  @Test(
    "Without widths, the picture of the usual density is used",
    arguments: [
      ("b.png 2x, a.png 1x", "a.png"), ("b.png 2x, a.png", "a.png"), ("a.png, b.png 2x", "a.png"),
      ("c.png 3x, b.png 1.5x", "b.png"), ("a.png nan, b.png 2x", "b.png"), ("x infx", nil),
    ])
  func densities(_ set: String, expected: String?) {
    let found = SourceSet.best(Array(set.utf8)).map { String(decoding: $0, as: UTF8.self) }
    #expect(found == expected)
  }

  @Test(
    "Clean HTML names the chosen picture, and a forbidden address changes nothing",
    arguments: [
      (
        "<img src=/full.jpg srcset=\"/a.jpg 400w, /b.jpg 1200w, /full.jpg 4000w\">",
        "<img src=\"https://example.org/b.jpg\">"
      ),
      (
        "<img srcset=\"/a.jpg 400w, /b.jpg 1200w\" src=/full.jpg>",
        "<img src=\"https://example.org/b.jpg\">"
      ),
      ("<img src=/a.jpg srcset=\"/b.jpg 2x\">", "<img src=\"https://example.org/a.jpg\">"),
      ("<img src=/a.jpg srcset=\"javascript:x 1200w\">", "<img src=\"https://example.org/a.jpg\">"),
      (
        "<img data-srcset=\"/a.jpg 400w, /b.jpg 1200w\" src=\"data:image/gif;base64,R0\">",
        "<img src=\"https://example.org/b.jpg\">"
      ),
      (
        "<video src=/a.mp4 srcset=\"/b.mp4 1200w\"></video>",
        "<video src=\"https://example.org/a.mp4\"></video>"
      ),
    ])
  func sanitised(_ html: String, expected: String) {
    let clean = HTMLContent.sanitise(html, baseURL: "https://example.org/blog/")
    #expect(clean == expected)
  }
}
