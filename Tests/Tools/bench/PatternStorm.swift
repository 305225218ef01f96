import FeedStore
import Foundation
import HTMLContent
import TestSupport

/// Types patterns with nested quantifiers into the search of a large cache, and measures each key's
/// latency and the share of the screen's thread in it.
extension Bench {
  private static let patterns = 10_000
  /// Maximum milliseconds of a key.
  private static let most = 16.0

  /// Runs in a temporary cache of 100,000 articles, unless another number is given.
  func runPatterns() async throws {
    let (store, _, data) = try await cache("storm", beside: "\(Self.patterns) patterns")
    store.close()
    print("\n| ms | median | worst |")
    print("|---|--:|--:|")
    try measurePatterns(data)
  }

  /// Prints each key's time, and the time without waits for a processor: on a busy machine, the
  /// screen's thread and the measuring one wait for a processor.
  func measurePatterns(_ data: String) throws {
    let reader = try PseudoTerminal(
      [weir, "--offline", "--data-dir", data], environment: environment)
    guard reader.wait(for: "Starred") != nil else {
      print("The reader painted nothing: \(String(decoding: reader.output, as: UTF8.self))")
      exit(1)
    }
    reader.waitUntilIdle(quiet: 0.5)
    reader.send("g/")
    _ = reader.wait(for: "Search")
    var random = SeededRandom(seed: 1)
    var keys: [String: [Double]] = [:]
    var own: [String: [Double]] = [:]
    var thread: [Double] = []
    let screen = "/proc/\(reader.process)/task/\(reader.process)/schedstat"
    let this = "/proc/thread-self/schedstat"
    func press(_ name: String, _ key: String) {
      let (from, start) = (reader.output.count, ContinuousClock.now)
      let before = (Self.times(screen), Self.times(this))
      reader.send(key)
      let isAnswered = reader.wait(for: "\u{1B}", from: from, deadline: 10) != nil
      let time = isAnswered ? (ContinuousClock.now - start).seconds * 1e3 : .infinity
      let after = (Self.times(screen), Self.times(this))
      keys[name, default: []].append(time)
      thread.append(after.0.running - before.0.running)
      let waited = after.0.waiting - before.0.waiting + after.1.waiting - before.1.waiting
      own[name, default: []].append(max(0, time - waited))
    }
    for _ in 0..<Self.patterns {
      let pattern = Self.pattern(&random)
      reader.send("\u{1B}[200~\(pattern.dropLast())\u{1B}[201~", quiet: 0.01)
      press("the slash that completes a pattern", "/")
      press("the field emptied while it is searched", "\u{15}")
    }
    for (name, times) in keys.sorted(by: { $0.key < $1.key }) {
      row("\(name) (\(Self.share(times)) over 16 ms)", times)
      let own = own[name] ?? []
      row("the same without waits for a processor (\(Self.share(own)) over 16 ms)", own)
    }
    row("of each, CPU time of the screen’s thread", thread)
    quit(reader)
  }

  /// A pattern between slashes: `/(([a-z]+)*)+$/`.
  private static func pattern(_ random: inout SeededRandom) -> String {
    var text = ["a", "[a-z]", "\\w", ".", "(a|aa)", "(e|t)"].randomElement(using: &random) ?? "a"
    for _ in 0..<Int.random(in: 2...4, using: &random) {
      text = "(\(text)\(["+", "*", "+?", "{1,5}"].randomElement(using: &random) ?? "+"))"
    }
    let end = ["+$", "*b", "+\\d$", "*zz"].randomElement(using: &random) ?? "$"
    return "/\(text)\(end)/"
  }

  private static func share(_ times: [Double]) -> String {
    let slow = times.count { $0 > most }
    return "\(slow), \((Double(slow) * 100 / Double(max(1, times.count))).text(2)) %"
  }

  /// Milliseconds that a thread has run, and waited for a processor (Linux).
  private static func times(_ schedstat: String) -> (running: Double, waiting: Double) {
    let text = (try? String(contentsOfFile: schedstat, encoding: .utf8)) ?? ""
    let times = text.split(separator: " ").compactMap { Double($0).map { $0 / 1e6 } }
    return times.count > 1 ? (times[0], times[1]) : (0, 0)
  }
}
