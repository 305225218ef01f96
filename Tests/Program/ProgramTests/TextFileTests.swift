import Foundation
import Testing

@testable import ProgramSettings
@testable import weir

@Suite("Text files") struct TextFileTests {
  @Test("A file that the user names is not written through a link")
  func links() throws {
    let folder = NSTemporaryDirectory() + "weir-text-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (target, link) = (folder + "/target", folder + "/link")
    try Data("mine".utf8).write(to: URL(fileURLWithPath: target))
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    #expect(throws: CommandFailure.self) {
      try TextFile.replace(link, with: [0x78], followsLinks: false)
    }
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "mine")
    // A broken link counts as a link.
    try FileManager.default.removeItem(atPath: target)
    #expect(throws: CommandFailure.self) {
      try TextFile.replace(link, with: [0x78], followsLinks: false)
    }
    #expect(!FileManager.default.fileExists(atPath: target))
    // Weir's own file that the user replaced by a link stays a link.
    try TextFile.replace(target, with: [0x78])
    try TextFile.replace(link, with: [0x79])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
  }
}
