import ArgumentParser
import Testing

@testable import weir

@Suite("Arguments of weir keep")
struct KeepCommandTests {
  @Test("Only numbers within the bounds are accepted", arguments: ["--days", "--articles"])
  func bounds(option: String) throws {
    #expect(throws: Never.self) { try KeepCommand.parse(["1", option, "1000000"]) }
    #expect(throws: (any Error).self) { try KeepCommand.parse(["1", option, "106751991168"]) }
    #expect(throws: (any Error).self) { try KeepCommand.parse(["1", "\(option)=-1"]) }
  }
}
