import FeedModel
import Foundation
import Networking
import TestSupport
import Testing

@testable import weir

@Suite("What a run has written down of itself")
struct TraceTests {
  private let path = FileManager.default.temporaryDirectory
    .appendingPathComponent("weir-trace-\(UUID().uuidString)/trace.log").path

  private var lines: [String] {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  @Test("Only the parts that were named are written, and nothing without a name")
  func parts() throws {
    defer { try? FileManager.default.removeItem(atPath: FilePath.folder(of: path)) }
    #expect(try Trace.open(nil, path: path) == nil)
    #expect(try Trace.open("", path: path) == nil)
    #expect(!FileManager.default.fileExists(atPath: path))
    let trace = try #require(try Trace.open("http,sql", path: path))
    #expect(trace.writer(.engine) == nil && trace.writer(.frame) == nil)
    trace.writer(.http)?("200 https://me:secret@example.org/\u{1B}[2J")
    trace.writer(.sql)?("SELECT 1")
    #expect(lines.count == 2)
    #expect(lines[0].contains("http") && lines[0].contains("***@example.org"))
    #expect(!lines[0].contains("secret") && !lines[0].contains("\u{1B}"))
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect((mode as? NSNumber)?.intValue == 0o600)
  }

  @Test("A part that is not known, or a file that cannot be written, is said")
  func faults() {
    #expect(throws: CommandFailure.self) { try Trace.open("sql,everything", path: path) }
    #expect(throws: CommandFailure.self) { try Trace.open("sql", path: "/proc/none/trace.log") }
  }
}
