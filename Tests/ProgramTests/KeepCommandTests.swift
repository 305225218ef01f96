import ArgumentParser
import Testing

@testable import weir

@Suite("What weir keep takes")
struct KeepCommandTests {
  @Test("Numbers in reason", arguments: ["--days", "--articles"])
  func bounds(option: String) throws {
    #expect(throws: Never.self) { try KeepCommand.parse(["1", option, "1000000"]) }
    #expect(throws: (any Error).self) { try KeepCommand.parse(["1", option, "106751991168"]) }
    #expect(throws: (any Error).self) { try KeepCommand.parse(["1", "\(option)=-1"]) }
  }
}
