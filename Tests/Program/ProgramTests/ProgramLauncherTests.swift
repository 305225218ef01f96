@testable import ProgramSettings
@testable import weir

/// Texts of feeds reach other programs byte for byte and are never executed.
@Suite("Other programs") struct ProgramLauncherTests {
  /// `%` stands for a command that leaves a trace.
  static let payloads = [
    "$(%)", "`%`", "; %", "| %", "|| %", "& %", "&& %", "\n%\n", "\r%\r", "'; %; '", "\"; %; \"",
    "$(%", "${IFS}%", "\\$(%)", "'$(%)'", "\"$(%)\"", "<(%)", ">(%)", "> $F", ">> $F", "{%,}", "!%",
    "-x", "--output=$F", "-", "~", "*", "%s %u", "\u{1B}]0;%\u{7}", "() { :; }; %", "#!/bin/sh\n%",
  ]

  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "weir-programs-\(UUID().uuidString)")
  private var canary: String { folder.appending(path: "canary").path }

  private func prepare() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Makes a program that records its arguments, a variable and its input, each ended by a NUL.
  private func recorder(_ name: String) throws -> (program: String, record: String) {
    let (program, record) = (
      folder.appending(path: name).path, folder.appending(path: "\(name).out").path
    )
    try Data(
      """
      { for a in "$@"; do printf '%s\\0' "$a"; done; printf '%s\\0' "$WEIR_TITLE"; cat; } > '\(record)'
      """.utf8
    ).write(to: URL(filePath: program))
    return (program, record)
  }

  private func run(
    _ arguments: [String], given: ProgramLauncher.Given = .init()
  ) async throws -> ProgramLauncher.End {
    try await withCheckedThrowingContinuation { continuation in
      do {
        try ProgramLauncher.run(arguments, in: .background, given: given) {
          continuation.resume(returning: $0)
        }
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }

  @Test("A program's output is returned, and its environment has the given variables")
  func output() async throws {
    let text = try await ProgramLauncher.output(
      of: ["sh", "-c", "printf '%s:' \"$WEIR_TITLE\"; cat"],
      given: .init(environment: ["WEIR_TITLE": "T"], input: "in\n"), limit: 1_000)
    #expect(text == "T:in\n")
  }

  @Test(
    "A program without usable output is reported with its first message",
    arguments: [
      (["sh", "-c", "echo no model >&2; exit 3"], "sh: exit code 3: no model."),
      (["sh", "-c", "head -c 5000 /dev/zero"], "sh: more than 1000 bytes."),
      (["/nonexistent/program"], "program: it cannot be started"),
    ])
  func outputFails(arguments: [String], sentence: String) async throws {
    do {
      _ = try await ProgramLauncher.output(of: arguments, given: .init(), limit: 1_000)
      Issue.record("it did not fail")
    } catch {
      #expect(error.sentence.hasPrefix(sentence))
    }
  }

  @Test("Thirty payloads arrive byte for byte, and none of them is executed")
  func canaries() async throws {
    try prepare()
    defer { try? FileManager.default.removeItem(at: folder) }
    let (program, record) = try recorder("recorder")
    for payload in Self.payloads {
      let text = payload.replacing("%", with: "touch \(canary)").replacing("$F", with: canary)
      let url = "https://example.org/\(text)"
      let arguments = try OtherPrograms.arguments(
        OtherPrograms.program(typed: "sh '\(program)' --title 'a b'", named: [:]), address: url)
      let end = try await run(
        arguments, given: .init(environment: ["WEIR_TITLE": text], input: text))
      #expect(end == .exited(0, complaint: ""))
      let bytes = try Data(contentsOf: URL(filePath: record))
      let parts = bytes.split(separator: 0, omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
      #expect(parts.count == 5)
      #expect(parts.prefix(2) == ["--title", "a b"])
      #expect(parts[2] == WebAddress(url).text)
      // The text without terminal control characters.
      let harmless = SafeText.lines(text)
      #expect(parts[3] == harmless && parts[4] == harmless, "\(payload)")
      #expect(!FileManager.default.fileExists(atPath: canary), "\(payload)")
    }
  }

  @Test("Terminal control characters are removed from the text passed to a program")
  func controls() async throws {
    try prepare()
    defer { try? FileManager.default.removeItem(at: folder) }
    let (program, record) = try recorder("recorder")
    let text = "a\u{1B}]0;b\u{7}\u{9B}c\u{202E}d\0e"
    let end = try await run(
      ["sh", program, "1", "2", "3"], given: .init(environment: ["WEIR_TITLE": text], input: text))
    #expect(end == .exited(0, complaint: ""))
    let parts = try Data(contentsOf: URL(filePath: record))
      .split(separator: 0, omittingEmptySubsequences: false).suffix(2)
    #expect(parts.map { String(decoding: $0, as: UTF8.self) } == ["a]0;bcde", "a]0;bcde"])
  }

  @Test("An address that is not a web page is not opened with any program") func schemes() throws {
    for url in ["javascript:x", "file:///etc/passwd", "-x", "--help", "", "data:,x"] {
      #expect(throws: CommandFailure.self) {
        try OtherPrograms.arguments(.init(arguments: ["a"]), address: url)
      }
    }
  }

  @Test("A failure is reported with its code and the first line of the message")
  func failures() async throws {
    let said = try await run([
      "sh", "-c", "echo; echo 'no \u{1B}[31mvoice.' >&2; echo more >&2; exit 3",
    ])
    #expect(said == .exited(3, complaint: "no [31mvoice"))
    #expect(said.failure(of: "speak")?.sentence == "speak ended with 3: no [31mvoice")
    #expect(try await run(["sh", "-c", "kill -9 $$"]) == .killed(9))
    #expect(try await run(["true"]).failure(of: "true") == nil)
    #expect(throws: CommandFailure.self) {
      try ProgramLauncher.run(["/no/such/program"], in: .background)
    }
    #expect(throws: CommandFailure.self) { try ProgramLauncher.run([""], in: .background) }
    #expect(throws: CommandFailure.self) { try ProgramLauncher.run(["a\0b"], in: .background) }
  }

  @Test("A program that hangs or does not read blocks nothing") func hanging() async throws {
    let text = String(repeating: "much text ", count: 200_000)
    try ProgramLauncher.run(["sleep", "5"], in: .background, given: .init(input: text))
    let long = String(repeating: "\u{1F680}", count: 100_000)
    let end = try await run(
      ["sh", "-c", "test ${#WEIR_TITLE} -gt 1000"], given: .init(environment: ["WEIR_TITLE": long]))
    #expect(end == .exited(0, complaint: ""))
  }

  @Test("Words are split at spaces outside of quotes and escapes") func words() throws {
    func words(_ line: String) throws -> [String] {
      try OtherPrograms.program(
        typed: line, named: ["speak": .init(arguments: ["espeak", "-s", "1"])]
      ).arguments
    }
    #expect(try words("a  b\tc") == ["a", "b", "c"])
    #expect(try words("a 'b c' \"d 'e\" f\\ g ''") == ["a", "b c", "d 'e", "f g", ""])
    #expect(try words("a $HOME ~ *; b") == ["a", "$HOME", "~", "*;", "b"])
    #expect(try words("speak") == ["espeak", "-s", "1"])
    #expect(try words("speak -v de") == ["espeak", "-s", "1", "-v", "de"])
    for line in ["", "  ", "'a", "\"", "''", "a \\"] {
      #expect(throws: CommandFailure.self) { try words(line) }
    }
  }

  @Test(
    "Pagers, editors and text browsers get the terminal unless the configuration says otherwise")
  func places() {
    #expect(OtherPrograms.usesTerminal(.init(arguments: ["/usr/bin/less", "-R"])))
    #expect(!OtherPrograms.usesTerminal(.init(arguments: ["firefox"])))
    #expect(!OtherPrograms.usesTerminal(.init(arguments: ["less"], usesTerminal: false)))
    #expect(OtherPrograms.usesTerminal(.init(arguments: ["mine"], usesTerminal: true)))
  }
}
