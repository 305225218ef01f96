import ArgumentParser
import Testing

@testable import weir

@Suite("Completions for shells") struct CompletionTests {
  @Test(
    "A feed is offered by a harmless word of its name, or not at all",
    arguments: [
      ("Daring Fireball", "", "Daring"), ("Daring Fireball", "fire", "Fireball"),
      ("LWN.net", "l", "LWN.net"), ("$(touch /tmp/x) News", "", "News"), ("`id`", "", nil),
      ("--force", "", nil), ("阮一峰的网络日志", "", nil), ("a;b", "", nil), ("", "", nil),
    ] as [(String, String, String?)])
  func words(name: String, prefix: String, expected: String?) {
    #expect(CompletionKind.word(of: name, from: prefix) == expected)
  }
}
