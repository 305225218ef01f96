@Suite("The user's own feeds") struct LocalSourceTests {
  @Test(
    "Addresses are read as newsboat writes them",
    arguments: [
      ("file:///home/me/feed.xml", LocalSource.file("/home/me/feed.xml")),
      ("file:~/feed.xml", .file("~/feed.xml")),
      ("exec:~/bin/x", .program(["~/bin/x"])),
      ("exec:~/bin/x  a 'b c' \"d e\" f\\ g", .program(["~/bin/x", "a", "b c", "d e", "f g"])),
      ("exec:x '' \"\"", .program(["x", "", ""])),
      ("EXEC:x a?b#c", .program(["x", "a?b#c"])),
      (
        "filter:~/bin/y -n 3:https://example.org/a?b=c:d",
        .filter(["~/bin/y", "-n", "3"], url: "https://example.org/a?b=c:d")
      ),
      ("filter:y:http://a/:https://b/", .filter(["y"], url: "http://a/:https://b/")),
    ])
  func addresses(text: String, source: LocalSource) {
    #expect(LocalSource(text) == source)
    #expect(LocalSource.claims(text))
  }

  @Test(
    "An address that cannot be read or run is rejected",
    arguments: [
      "exec:", "exec: ", "exec:'x", "exec:x \"y", "exec:''", "exec:x \\", "filter:x", "filter:x:",
      "filter:x:file:///etc/passwd", "filter::https://example.org/", "file:", "file:feed.xml",
      "file:///", "exec:a\0b", "https://example.org/", "", "x",
    ])
  func nothing(text: String) { #expect(LocalSource(text) == nil) }

  @Test(
    "Shell syntax in a word has no special meaning",
    arguments: [
      "$(touch canary)", "`touch canary`", ";touch", "|touch", "&", ">canary", "$HOME", "*",
      "-rf", "a=b",
    ])
  func shell(word: String) {
    #expect(
      LocalSource("exec:x \"\(word)\" \(word.filter { $0 != " " })")?.words?.last?.isEmpty == false)
    #expect(LocalSource("exec:x '\(word)'") == .program(["x", word]))
  }
}

extension LocalSource {
  fileprivate var words: [String]? {
    if case .program(let words) = self { words } else { nil }
  }
}
