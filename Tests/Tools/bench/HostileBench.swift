import Foundation
import TestSupport

/// Measures the delay of the good feeds when one of a hundred origins is bad.
extension Bench {
  /// Seconds until a good origin answers, so that a sync takes long enough to be measured.
  private static let thought = 0.1

  func runHostile() throws {
    let count = 100
    print(
      "\(count) feeds of as many hosts, each answering after \(Self.thought) s; the other \(count - 1)"
        + " when one is bad. Medians of \(runs), in turns.\n")
    print("| one origin | others done, s | without it, s | ratio | peak MB |")
    print("|---|--:|--:|--:|--:|")
    for (number, bad) in BadReplies.all.enumerated() {
      var with: [Double] = []
      var without: [Double] = []
      var peaks: [Double] = []
      for run in 0..<runs {
        let name = "\(number)-\(run)"
        without.append(try othersDone(count, beside: nil, name + "-good").seconds)
        let (seconds, peak) = try othersDone(count, beside: bad.reply, name)
        with.append(seconds)
        peaks.append(Double(peak) / 1e6)
      }
      print(
        "| \(bad.name) | \(with.median.text(2)) | \(without.median.text(2))"
          + " | \((with.median / without.median).text(2)) | \(peaks.median.text(0)) |")
    }
  }

  /// Seconds from the first request to the last answer of a good feed.
  private func othersDone(
    _ count: Int, beside bad: Reply?, _ name: String
  ) throws -> (seconds: Double, peak: Int) {
    let origin = try Origin(address: "0.0.0.0")
    defer { origin.stop() }
    let answer = Reply.answer(
      "<rss version=\"2.0\"><channel><title>T</title><item><title>A</title></item></channel></rss>")
    origin.on("/good", answer.after(Self.thought))
    if let bad { origin.on("/bad", bad) }
    var list = "<opml version=\"2.0\"><body>"
    for number in 1...count {
      let path = number == 1 && bad != nil ? "/bad" : "/good\(number)"
      list += "<outline xmlUrl=\"\(origin.url(path, host: "127.0.2.\(number)"))\"/>"
    }
    let file = folder + "/hostile.opml"
    try (list + "</body></opml>").write(toFile: file, atomically: true, encoding: .utf8)
    let data = folder + "/hostile-\(name)"
    _ = try weir(["import", file], data)
    let process = try Spawn.start(
      [weir, "sync", "--all", "--quiet", "--data-dir", data], environment: environment,
      terminal: nil, output: nil)
    let good = bad == nil ? count : count - 1
    let deadline = ContinuousClock.now + .seconds(120)
    var times: [Double] = []
    var peak = 0
    while times.count < good, ContinuousClock.now < deadline {
      usleep(20_000)
      peak = max(peak, Spawn.peakMemory(of: process))
      times = origin.log.filter { $0.path != "/bad" }.map(\.time)
    }
    // The flood continues for a while, to measure its memory.
    usleep(500_000)
    // The process may have ended already.
    peak = max(peak, Spawn.peakMemory(of: process))
    kill(process, SIGINT)
    _ = Spawn.wait(for: process, within: 20)
    guard times.count >= good else { return (.infinity, peak) }
    let first = origin.log.map(\.time).min() ?? 0
    return ((times.max() ?? 0) - first + Self.thought, peak)
  }
}
