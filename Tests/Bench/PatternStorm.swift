import Foundation
import TestSupport

/// Patterns with nested quantifiers, typed into the search of a large cache: how long each key
/// takes until the screen answers, and how much of that is the screen's thread.
extension Bench {
  private static let patterns = 10_000
  /// Milliseconds that a key may take.
  private static let most = 16.0

  func measurePatterns(_ data: String) throws {
    let reader = try PseudoTerminal(
      [weir, "--offline", "--data-dir", data], environment: environment)
    _ = reader.wait(for: "Starred")
    reader.settle(quiet: 0.5)
    reader.send("g/")
    _ = reader.wait(for: "Search")
    var random = SeededRandom(seed: 1)
    var keys: [String: [Double]] = [:]
    var thread: [Double] = []
    func press(_ name: String, _ key: String) {
      let (from, start) = (reader.output.count, ContinuousClock.now)
      let before = Self.screenTime(of: reader.process)
      reader.send(key)
      let isAnswered = reader.wait(for: "\u{1B}", from: from, deadline: 10) != nil
      keys[name, default: []].append(
        isAnswered ? (ContinuousClock.now - start).seconds * 1e3 : .infinity)
      thread.append(Self.screenTime(of: reader.process) - before)
    }
    for _ in 0..<Self.patterns {
      let pattern = Self.pattern(&random)
      reader.send("\u{1B}[200~\(pattern.dropLast())\u{1B}[201~")
      reader.settle(quiet: 0.01)
      press("the slash that completes a pattern", "/")
      press("the field emptied while it is searched", "\u{15}")
    }
    for (name, times) in keys.sorted(by: { $0.key < $1.key }) {
      row("\(name) (\(times.count { $0 > Self.most }) over 16 ms)", times)
    }
    row("of each, CPU time of the screen’s thread", thread)
    reader.send("\u{1B}\u{1B}Q")
    _ = reader.waitForExit()
  }

  /// Between slashes: `/(([a-z]+)*)+$/`.
  private static func pattern(_ random: inout SeededRandom) -> String {
    var text = ["a", "[a-z]", "\\w", ".", "(a|aa)", "(e|t)"].randomElement(using: &random) ?? "a"
    for _ in 0..<Int.random(in: 2...4, using: &random) {
      text = "(\(text)\(["+", "*", "+?", "{1,5}"].randomElement(using: &random) ?? "+"))"
    }
    let end = ["+$", "*b", "+\\d$", "*zz"].randomElement(using: &random) ?? "$"
    return "/\(text)\(end)/"
  }

  /// Milliseconds of CPU that the first thread of a process has used (Linux).
  private static func screenTime(of process: pid_t) -> Double {
    let path = "/proc/\(process)/task/\(process)/schedstat"
    let text = try? String(contentsOfFile: path, encoding: .utf8)
    return (text?.split(separator: " ").first.flatMap { Double($0) } ?? 0) / 1e6
  }
}
