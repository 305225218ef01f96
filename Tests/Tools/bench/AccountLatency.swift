import Foundation
import TestSupport

/// Measures the latency of keys while 5,000 marks are sent to an account's server that takes as
/// long for each as FreshRSS does.
extension Bench {
  private static let marks = 5_000
  /// Seconds for each id of a change.
  private static let thought = 0.018

  func runAccounts() throws {
    let server = FakeAggregator(.freshRSS)
    server.addItems(
      1...Int64(Self.marks), feed: server.addFeed("http://a.example/", title: "Daily"))
    let origin = try Origin()
    defer { origin.stop() }
    server.serve(on: origin) { request in
      guard request.target.contains("edit-tag") else { return 0 }
      return Double(String(decoding: request.body, as: UTF8.self).matches(of: /&i=/).count)
        * Self.thought
    }
    let data = folder + "/accounts"
    _ = try weir(
      [
        "account", "add", "greader", origin.url("/api/greader.php"), "--user", FakeAggregator.user,
        "--password-command", "echo \(FakeAggregator.password)",
      ], data)
    _ = try weir(["account", "sync"], data)
    try "[sync]\nautomatic = false\n".write(
      toFile: folder + "/config.toml", atomically: true, encoding: .utf8)
    let reader = try PseudoTerminal(
      [weir, "--config", folder + "/config.toml", "--data-dir", data], environment: environment)
    // The list of accounts leads to the account's folder, and that to its articles.
    for keys in ["", "@", "\r", "\r"] {
      reader.send(keys, quiet: 1)
    }
    print("| reader, 80×24, ms | median | p99 | worst | keys |")
    print("|---|--:|--:|--:|--:|")
    table("down in the account's articles, idle", (0..<200).map { _ in press(reader, "j") })
    table("\(AmountText.grouped(Self.marks)) marked read", [press(reader, "A")])
    let began = ContinuousClock.now
    while server.editSizes.isEmpty, (ContinuousClock.now - began).seconds < 30 {
      _ = reader.read(wait: 0.05)
    }
    table("down while they are sent", (0..<200).map { _ in press(reader, "k") })
    let left = server.unread.count
    while !server.unread.isEmpty, (ContinuousClock.now - began).seconds < 300 {
      _ = reader.read(wait: 0.1)
    }
    print(
      "\n\(server.editSizes.count) requests of at most \(server.editSizes.max() ?? 0) in "
        + "\((ContinuousClock.now - began).seconds.text(0)) s; \(left) waited at the last key.")
    quit(reader)
  }
}
