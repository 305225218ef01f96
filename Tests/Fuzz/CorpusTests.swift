import Foundation
import Testing

/// Every input that a fuzzer ever stumbled over, and the seeds that it starts from, through every
/// entry point.
@Suite struct CorpusTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Corpus")

  private static func files(of target: FuzzTarget) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(
      at: folder.appending(path: target.rawValue), includingPropertiesForKeys: nil)
  }

  @Test(arguments: FuzzTarget.allCases)
  func `what was tried once keeps every promise`(corpus: FuzzTarget) throws {
    let files = try Self.files(of: corpus)
    #expect(!files.isEmpty, "\(corpus) has no seeds")
    for file in files {
      let bytes = [UInt8](try Data(contentsOf: file))
      // A change to a database means nothing to a parser, nor a document to a database.
      for target in FuzzTarget.allCases where (target == .database) == (corpus == .database) {
        let fault = target.fault(in: bytes)
        #expect(fault == nil, "\(target) on \(corpus)/\(file.lastPathComponent)")
      }
    }
  }
}
