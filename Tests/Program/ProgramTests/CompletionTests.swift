import ArgumentParser

@testable import weir

@Suite("Completions for shells") struct CompletionTests {
  @Test(
    "A name is quoted for bash, which evaluates it",
    arguments: [
      ("Daring Fireball", "'Daring Fireball'"), ("$(touch /tmp/x) `id`", "'$(touch /tmp/x) `id`'"),
      ("It's", "'It'\\''s'"), ("a\nb", "'a b'"), ("阮一峰", "'阮一峰'"),
    ])
  func quoted(name: String, line: String) {
    #expect(CompletionKind.Word(name).line(for: .bash) == line)
  }

  @Test("Other shells show a name as the description of a number") func described() {
    let word = CompletionKind.Word(7, "News: \\today", for: "", .zsh)
    #expect(word.line(for: .zsh) == "7:News: \\today")
    #expect(CompletionKind.Word(7, "LWN.net", for: "", .fish).line(for: .fish) == "7\tLWN.net")
    #expect(CompletionKind.Word(7, "a:b\\c", for: "a", .zsh).line(for: .zsh) == "a\\:b\\\\c:7")
    #expect(CompletionKind.Word(7, "LWN.net", for: "l", .fish).line(for: .fish) == "LWN.net\t7")
    #expect(CompletionKind.Word(7, "LWN.net", for: "", .bash).line(for: .bash) == "'LWN.net'")
  }

  @Test("A name like an option, and an empty one, give the number", arguments: ["--yes", "", " "])
  func option(name: String) {
    #expect(CompletionKind.Word(7, name, for: "x", .bash).line(for: .bash) == "'7'")
  }
}
