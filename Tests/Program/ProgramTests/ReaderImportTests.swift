@testable import ProgramSettings
@testable import weir

/// The reader imports only regular files, for which it never waits.
@Suite("Importing in the reader") struct ReaderImportTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "weir-import-\(UUID().uuidString)")

  private func prepare() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Returns the reason why a path is not imported, or `nil` if it is.
  private func refusal(of path: String) async -> String? {
    do throws(CommandFailure) {
      _ = try await ReaderRun.subscriptions(at: path)
      return nil
    } catch {
      return error.sentence
    }
  }

  @Test("Standard input, pipes and devices are rejected at once") func refused() async throws {
    try prepare()
    defer { try? FileManager.default.removeItem(at: folder) }
    let pipe = folder.appending(path: "pipe").path
    #expect(mkfifo(pipe, 0o600) == 0)
    let input = await refusal(of: "-")
    #expect(input?.contains("weir import -") == true)
    let ofPipe = await refusal(of: pipe)
    #expect(ofPipe == "\(pipe) cannot be imported: it is a pipe.")
    let ofDevice = await refusal(of: "/dev/zero")
    #expect(ofDevice == "/dev/zero cannot be imported: it is a device.")
    let ofNothing = await refusal(of: folder.appending(path: "nothing").path)
    #expect(ofNothing?.contains("cannot be read") == true)
  }

  @Test("A regular file is read") func taken() async throws {
    try prepare()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "urls")
    try Data("https://example.org/feed\n".utf8).write(to: file)
    let list = try await ReaderRun.subscriptions(at: file.path)
    #expect(list.entries.map(\.url) == ["https://example.org/feed"])
  }

  @Test("The report of a truncated list says that the file ends early")
  func truncated() async throws {
    try prepare()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "list.opml")
    let start = "<opml><body><outline text='A' xmlUrl='https://a.example/'/>"
    try Data((start + "<outline text='B").utf8).write(to: file)
    let cut = try await ReaderRun.subscriptions(at: file.path)
    #expect(
      cut.sentence(added: 1, known: 0) == "Imported 1 feed; the file is damaged or ends early")
    try Data((start + "</body></opml>").utf8).write(to: file)
    let whole = try await ReaderRun.subscriptions(at: file.path)
    #expect(whole.sentence(added: 1, known: 0) == "Imported 1 feed")
  }
}
