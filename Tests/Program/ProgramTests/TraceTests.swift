import ArgumentParser

@testable import ProgramSettings
@testable import weir

@Suite("The trace of a run") struct TraceTests {
  private let path = FileManager.default.temporaryDirectory
    .appendingPathComponent("weir-trace-\(UUID().uuidString)/trace.log").path

  private var lines: [String] {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  @Test("Only the named parts are written, and nothing without a name") func parts() throws {
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

  @Test("An unknown part or an unwritable file is reported") func faults() {
    #expect(throws: CommandFailure.self) { try Trace.open("sql,everything", path: path) }
    #expect(throws: CommandFailure.self) { try Trace.open("sql", path: "/proc/none/trace.log") }
  }

  @Test("A statement is written with its time, even if it takes less than a millisecond")
  func timesOfStatements() throws {
    let folder = FilePath.folder(of: path)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let trace = try #require(try Trace.open("sql", path: path))
    let store = try FeedStore.open(
      directory: folder, options: StoreOptions(trace: trace.writer(.sql)))
    _ = try store.reader.feeds.subscriptions()
    store.close()
    let selects = lines.filter { $0.contains("FROM feed f") }
    #expect(!selects.isEmpty)
    #expect(!selects.contains { $0.contains("  0.000 ms  SELECT ") })
  }

  @Test("The trace is beside the log file that the command line names") func logAndTrace() throws {
    let paths = try GlobalOptions.parse([]).paths()
    #expect(try GlobalOptions.parse([]).tracePath(paths).hasSuffix("/weir/trace.log"))
    let named = try GlobalOptions.parse(["--log", "/var/tmp/logs/mine.log"])
    #expect(named.tracePath(paths) == "/var/tmp/logs/trace.log")
  }
}
