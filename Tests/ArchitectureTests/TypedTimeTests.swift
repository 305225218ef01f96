@Suite("Typed times in the engine") struct TypedTimeTests {
  private static var exceptions: Regex<(Substring, Substring?)> {
    /\b(jitter|retryAfter|articlesPerDay|rates|factor|demand)\b|var seconds: Double \{/
  }

  /// True if a line has no plain time. Plain numbers are allowed for a share of 0 ..< 1, a rate, a
  /// factor, the seconds of a header or a document, and the conversion itself.
  static func isTyped(_ line: Substring) -> Bool {
    let code = line.prefix(upTo: line.firstRange(of: "//")?.lowerBound ?? line.endIndex)
    let plain = /:\s*\[?(\w+: )?(Double|TimeInterval)\b|->\s*Double\b/
    return !code.contains(plain) || code.contains(exceptions)
  }

  @Test("No time is a plain number of seconds", arguments: ["SyncEngine", "Programs"])
  func noPlainSeconds(target: String) throws {
    for file in try Manifest.files(of: target) {
      for (index, line) in try ImportRules.lines(of: file).enumerated() where !Self.isTyped(line) {
        Issue.record("\(file.lastPathComponent):\(index + 1): a Duration, an Instant or a Date")
      }
    }
  }

  @Test(
    "A plain time is found",
    arguments: [
      ("  var latency: Double?", false), ("  func wait() -> Double {", false),
      ("  let until: TimeInterval", false), ("  var connects: [Double] = []", false),
      ("  var jitter: @Sendable () -> Double", true), ("  var latency: Duration?", true),
      ("  // seconds: Double", true), ("    retryAfter: Double?, of url: String", true),
    ])
  func plainTimes(line: String, isTyped: Bool) {
    #expect(Self.isTyped(line[...]) == isTyped)
  }
}
