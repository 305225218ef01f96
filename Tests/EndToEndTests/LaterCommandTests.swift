import Foundation
import TestSupport
import Testing

@Suite("Saving pages and keeping articles for later", .ownThreads)
struct LaterCommandTests {
  private let page =
    "<html><head><title>The heron</title></head><body><article><p>"
    + String(repeating: "The heron stood in the water, and waited for the fish. ", count: 20)
    + "</p></article></body></html>"

  @Test("A page is saved from arguments or standard input, fetched by the next sync, and listed")
  func save() throws {
    let fixture = try CommandFixture()
    let origin = try Origin()
    origin.on("/heron", .answer(page))
    let saved = try fixture.weir("save", origin.url("/heron"), "--tag", "birds")
    #expect(saved.output.contains("Saved \u{201C}\(origin.url("/heron"))\u{201D} (article 1)"))
    let again = try fixture.weir("save", input: "\n\(origin.url("/heron"))\n")
    #expect(again.output.contains("Kept for later:"), "\(again)")
    _ = try fixture.weir("sync")
    let objects = try fixture.weir("later", "--json").objects()
    #expect(objects.count == 1)
    #expect(objects[0]["title"] as? String == "The heron" && objects[0]["later"] as? Bool == true)
    #expect(try fixture.weir("show", "--full", "1").output.contains("waited for the fish"))
    #expect(try fixture.weir("articles", "is:later", "tag:birds").output.contains("The heron"))
    #expect(try !fixture.weir("export").output.contains("weir:saved"))
    #expect(try fixture.weir("mark", "not-later", "1").code == 0)
    #expect(try fixture.weir("later", "--json").objects().isEmpty)
  }

  @Test("If one address is no web address, no page is saved")
  func wrong() throws {
    let fixture = try CommandFixture()
    let outcome = try fixture.start(["save", "https://pages.example/1", "gopher://x"]).outcome()
    #expect(outcome.code == 1 && outcome.errors.contains("gopher://x isn\u{2019}t a web address"))
    #expect(try fixture.weir("later", "--json").objects().isEmpty)
  }
}
