import Foundation
import TestSupport

/// What 500 pictures cost at the keys: from a key to the last byte of its frame, in articles of 30
/// pictures each that a pack has fetched, by each way in which a terminal shows them; and what the
/// reader sends while nobody touches it.
extension Bench {
  private static let pictures = 500
  private static let perArticle = 30
  /// Pages of each article.
  private static let keys = 16
  /// Seconds between the keys of somebody who looks at each screen, and of a key that is held.
  private static let paces = [("looking", 0.25), ("held", 0.03)]
  private static let idleSeconds = 10.0

  func runPictures() throws {
    let origin = try Origin()
    defer { origin.stop() }
    let feed = serve(on: origin)
    let data = folder + "/pictures"
    _ = try weir(["add", feed], data)
    _ = try weir(["sync", "--all"], data)
    _ = try weir(["pack", "--hours", "500", "--budget", "500M", "--quiet"], data)
    print("\(Self.pictures) pictures, 120×40 cells of 10×20 pixels.\n")
    print("| key to last byte, ms | median | p99 | worst | keys |")
    print("|---|--:|--:|--:|--:|")
    for way in ["blocks", "kitty", "sixel"] {
      for (name, pace) in Self.paces { try measure(way, name, pace, data) }
    }
  }

  /// The address of a feed whose articles have the pictures.
  private func serve(on origin: Origin) -> String {
    let count = (Self.pictures + Self.perArticle - 1) / Self.perArticle
    let items = (0..<count).map { article in
      let first = article * Self.perArticle
      let body = (first..<min(first + Self.perArticle, Self.pictures)).map { number in
        "<p>Words above picture \(number).</p>"
          + "<img src=\"\(origin.url("/\(number).png"))\" width=\"320\" height=\"200\">"
      }
      return "<item><guid>\(article)</guid><title>Part \(article)</title><description><![CDATA["
        + body.joined() + "]]></description></item>"
    }
    origin.on(
      "/feed",
      .answer(
        "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>Walks</title>"
          + items.joined() + "</channel></rss>"))
    for number in 0..<Self.pictures {
      // Some colours more than a terminal has.
      let picture = SamplePictures.png(width: 320, height: 200) { x, y in
        (UInt8((x + number) & 255), UInt8(y), UInt8((x * y + number * 7) & 255))
      }
      origin.on("/\(number).png", .answer(picture, type: "image/png"))
    }
    return origin.url("/feed")
  }

  private func measure(_ way: String, _ name: String, _ pace: Double, _ data: String) throws {
    try "[sync]\nautomatic = false\n[reader]\nimages = \"\(way)\"\n".write(
      toFile: folder + "/config.toml", atomically: true, encoding: .utf8)
    let reader = try PseudoTerminal(
      [weir, "--offline", "--config", folder + "/config.toml", "--data-dir", data], columns: 120,
      rows: 40, cell: (10, 20),
      environment: environment.merging(["COLORTERM": "truecolor"]) { $1 })
    guard reader.wait(for: "Walks", deadline: 60) != nil else {
      print("The reader painted nothing.")
      exit(1)
    }
    reader.settle(quiet: 1)
    reader.send("G\r")
    reader.settle(quiet: 0.5)
    reader.send("gg")
    reader.settle(quiet: 0.2)
    var samples: [Double?] = []
    for _ in 0..<(Self.pictures + Self.perArticle - 1) / Self.perArticle {
      reader.send("\r")
      reader.settle(quiet: 0.3)
      // It opens where it was left by the measurement before.
      reader.send("gg")
      reader.settle(quiet: 0.3)
      for _ in 0..<Self.keys {
        samples.append(press(reader, " "))
        reader.settle(quiet: pace)
      }
      reader.send("qj")
      reader.settle(quiet: 0.2)
    }
    table("\(way), \(name)", samples)
    let before = reader.output.count
    reader.settle(quiet: Self.idleSeconds)
    if reader.output.count != before { print("It sent bytes while nobody touched it.") }
    reader.send("Q")
    _ = reader.waitForExit(deadline: 30)
  }
}
