import SoakSupport

@testable import ProgramSettings
@testable import weir

@Suite("Text files") struct TextFileTests {
  @Test("A file that the user names is not written through a link") func links() throws {
    let folder = NSTemporaryDirectory() + "weir-text-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (target, link) = (folder + "/target", folder + "/link")
    try Data("mine".utf8).write(to: URL(fileURLWithPath: target))
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    func write() throws { try TextFile.replace(link, with: [0x78], followsLinks: false) }
    #expect(throws: CommandFailure.self) { try write() }
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "mine")
    // A broken link counts as a link.
    try FileManager.default.removeItem(atPath: target)
    #expect(throws: CommandFailure.self) { try write() }
    #expect(!FileManager.default.fileExists(atPath: target))
    // Weir's own file that the user replaced by a link stays a link.
    try TextFile.replace(target, with: [0x78])
    try TextFile.replace(link, with: [0x79])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
  }

  @Test("A pipe into which nothing writes is refused, a device, and a configuration of megabytes")
  func pipes() throws {
    let path = NSTemporaryDirectory() + "weir-text-\(UUID().uuidString)"
    defer { unlink(path) }
    mkfifo(path, 0o600)
    for (path, words, own) in [
      (path, "nothing writes to this pipe", "it is a pipe"), ("/", "a directory", "a directory"),
      ("/dev/zero", "more than 1 MB", "more than 1 MB"),
    ] {
      let failure = #expect(throws: CommandFailure.self) { try TextFile.read(path) }
      #expect(failure?.sentence.contains(words) == true)
      let included = #expect(throws: CommandFailure.self) { try LibraryImport.read(path) }
      #expect(included?.sentence.contains(own) == true)
      #expect(ConfigurationFile.load(path, isRequired: true).problems.count == 1)
    }
    unlink(path)
    try Data(repeating: 0x0A, count: 5_000_000).write(to: URL(filePath: path))
    let file = ConfigurationFile.load(path, isRequired: true)
    #expect(file.problems.map(\.text) == ["the file is too large: more than 1 MB"])
  }

  @Test(
    "Unknown names of one table are compared only for the problems that are reported",
    arguments: ["[themes.dusk]", "[feeds.\"http://a.example/\"]"])
  func mostProblems(heading: String) {
    func time(_ count: Int) -> Double {
      let text = heading + "\n" + (0..<count).map { "n\($0)=1\n" }.joined()
      return ThreadTime.least(of: 2) {
        var file = ConfigurationFile()
        file.read(text)
        #expect(file.problems.count == 200)
      }
    }
    #expect(time(8_000) < 8 * time(500))
  }

  /// Each problem and each table costs the same, however many there are.
  @Test(
    "Reading a configuration takes linear time",
    arguments: [
      "[keys]\n#=#", "[keys]\nquit#=\"q\"", "[themes]\n#=1", "[themes.#]\nbase=\"dark\"\n",
      "[themes.#]\nnone=1\n", "[bindings]\n#=1", "[programs]\n#=[\"x\"]", "[feeds]\n\"#\"=1",
      "[feeds.\"http://#/\"]\ninterval=5\n", "[#]\n", "\n", "[reader]\n#=1",
      "[programs.#]\ncommand=1\n",
    ])
  func configurationGrowth(piece: String) {
    let isTable = piece.hasSuffix("\n")
    let growth = ThreadTime.growth(times: Soak.length(short: 16, long: 128)) { count in
      let parts = piece.split(separator: "\n", maxSplits: 1).map(String.init)
      let (head, line) = isTable ? ("", piece) : (parts[0] + "\n", parts[1] + "\n")
      return head + (0..<count).map { line.replacing("#", with: "n\($0)") }.joined()
    } _: {
      var file = ConfigurationFile()
      file.read($0)
    }
    #expect(growth < ThreadTime.linear)
  }
}
