@testable import TerminalKit

/// Frames of a line terminal, and the text that each writes.
@Suite("Frames as lines") struct LineTranscriptTests {
  private var transcript = LineTranscript(supportsUTF8: true)

  private func surface(
    _ content: [String], place: String = "", status: String = "", message: String = "",
    typing text: String? = nil
  ) -> Surface {
    var surface = Surface(size: Size(width: 80, height: 3))
    surface.spoken = SpokenScreen(place: place, content: content, status: status, message: message)
    if let text {
      let used = surface.write(text, x: 0, y: 2)
      surface.write("marks 3", x: 60, y: 2)
      surface.cursor = (used, 2)
    }
    return surface
  }

  /// Writes a frame after a key.
  private mutating func answer(_ surface: Surface) -> String {
    transcript.keyPressed()
    return transcript.text(of: surface)
  }

  @Test("A row is written when it changes after a key, and an equal frame writes nothing")
  mutating func rows() {
    #expect(transcript.text(of: surface(["1 of 3, a"], place: "List")) == "List\n1 of 3, a\n")
    #expect(transcript.text(of: surface(["1 of 3, a"], place: "List")) == "")
    #expect(answer(surface(["2 of 3, b"], place: "List")) == "2 of 3, b\n")
    #expect(answer(surface(["2 of 3, b"], place: "List")) == "")
  }

  @Test("A row that changes by itself is written once after a key, and then no more")
  mutating func ticking() {
    _ = transcript.text(of: surface(["3 unread"]))
    #expect(transcript.text(of: surface(["4 unread"])) == "")
    #expect(answer(surface(["5 unread"])) == "5 unread\n")
    #expect(transcript.text(of: surface(["6 unread"])) == "")
    #expect(transcript.text(of: surface(["7 unread"], place: "Feeds")) == "Feeds\n7 unread\n")
  }

  @Test("Content that arrives some frames after its key is written")
  mutating func loading() {
    _ = transcript.text(of: surface(["a row"], place: "List"))
    #expect(answer(surface([], place: "Article")) == "Article\n")
    #expect(transcript.text(of: surface([], place: "Article")) == "")
    #expect(transcript.text(of: surface(["Title", "Text"], place: "Article")) == "Title\nText\n")
  }

  @Test(
    "Scrolling writes the lines that were not in view",
    arguments: [
      (["b", "c", "d"], "d\n"), (["c", "d", "e"], "d\ne\n"), (["0", "a", "b"], "0\n"),
      (["x", "y", "z"], "x\ny\nz\n"), (["a", "b", "c"], ""),
    ])
  mutating func scrolling(lines: [String], text: String) {
    _ = transcript.text(of: surface(["a", "b", "c"]))
    #expect(answer(surface(lines)) == text)
  }

  @Test("A message is written when it changes, and again if a key causes it again")
  mutating func messages() {
    _ = transcript.text(of: surface(["a"]))
    #expect(transcript.text(of: surface(["a"], message: "Done")) == "Done\n")
    #expect(transcript.text(of: surface(["a"], message: "Done")) == "")
    #expect(answer(surface(["a"], message: "Done")) == "Done\n")
    #expect(transcript.text(of: surface(["a"])) == "")
  }

  @Test("The state is written when it changes, and its end is silent")
  mutating func status() {
    _ = transcript.text(of: surface(["a"]))
    #expect(transcript.text(of: surface(["a"], status: "Refreshing")) == "Refreshing\n")
    #expect(transcript.text(of: surface(["a"], status: "Refreshing")) == "")
    #expect(transcript.text(of: surface(["a"])) == "")
  }

  @Test("Letters are written as they are typed, and another edit writes the line again")
  mutating func typing() {
    _ = transcript.text(of: surface(["a"]))
    #expect(answer(surface(["a"], typing: "/")) == "/")
    #expect(answer(surface(["a"], typing: "/k")) == "k")
    #expect(answer(surface(["b"], typing: "/ke")) == "\nb\n/ke")
    #expect(answer(surface(["b"], typing: "/k")) == "\n/k")
    #expect(answer(surface(["b"], message: "No matches")) == "\nNo matches\n")
  }

  @Test("Control characters are dropped, and other letters are replaced without UTF-8")
  mutating func characters() {
    #expect(transcript.text(of: surface(["a\u{1B}[31m\u{7}b\u{202E}c"])) == "a[31mbc\n")
    var plain = LineTranscript(supportsUTF8: false)
    #expect(plain.text(of: surface(["Zürich …"])) == "Zurich .\n")
  }

  @Test("After the last frame is forgotten, everything is written again")
  mutating func again() {
    _ = transcript.text(of: surface(["a"], place: "List"))
    transcript.forget()
    #expect(transcript.text(of: surface(["a"], place: "List")) == "List\na\n")
  }
}
