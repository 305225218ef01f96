import Foundation
import TestSupport
import Testing

/// `make bench ARGS=hostile` measures the same.
@Suite("One bad origin does not keep the others' feeds waiting")
struct BadOriginTests {
  @Test(arguments: BadReplies.all.indices)
  func others(index: Int) throws {
    let (name, reply) = BadReplies.all[index]
    let person = try Person()
    let origin = try Origin(address: "0.0.0.0")
    origin.on("/bad", reply)
    origin.on("/good") { .answer(Feeds.rss("Good \($0.target)", ["One"])) }
    // Asked first.
    try person.weir("add", "--unchecked", origin.url("/bad"))
    let good = 30
    let list = Feeds.opml(
      (1...good).map { ("", origin.url("/good\($0)", host: "127.0.1.\($0)")) })
    try person.weir("import", person.file("list.opml", list))
    let process = try Spawn.start(
      [Person.program, "sync", "--all"], environment: person.environment, terminal: nil,
      output: nil)
    let deadline = ContinuousClock.now + .seconds(60)
    var stored = 0
    while stored < good, ContinuousClock.now < deadline {
      stored = try person.weir("articles", "--json").objects().count
    }
    #expect(stored == good, "\(name)")
    #expect(origin.log.contains { $0.path == "/bad" })
    #expect(Spawn.peakMemory(of: process) < 150 << 20 || Person.isInstrumented)
    kill(process, SIGINT)
    #expect(Spawn.wait(for: process, within: 20) != nil)
  }
}
