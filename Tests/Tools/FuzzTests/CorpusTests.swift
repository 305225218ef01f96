import Foundation
import Testing

/// Every input on which a fuzzer failed, and the fuzzers' seeds, passed to every entry point.
@Suite("The corpus of the fuzzers") struct CorpusTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Corpus")

  private static func files(of target: FuzzTarget) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(
      at: folder.appending(path: target.rawValue), includingPropertiesForKeys: nil)
  }

  @Test("Every file of the corpus passes every target", arguments: FuzzTarget.allCases)
  func triedOnceKeepsEvery(corpus: FuzzTarget) throws {
    let files = try Self.files(of: corpus)
    #expect(!files.isEmpty, "\(corpus) has no seeds")
    for file in files {
      let bytes = [UInt8](try Data(contentsOf: file))
      // Changes to a database are no input for a parser, nor documents for a database.
      for target in FuzzTarget.allCases where (target == .database) == (corpus == .database) {
        let fault = target.fault(in: bytes)
        #expect(fault == nil, "\(target) on \(corpus)/\(file.lastPathComponent)")
      }
    }
  }
}
