import Foundation
import TestSupport

/// Measures 500 pictures in packed articles of 30 pictures each: the time from a key to the last
/// byte of its frame and of its last picture, for each way in which a terminal shows pictures; and
/// the output of an untouched reader.
extension Bench {
  private static let pictures = 500
  private static let perArticle = 30
  /// Pages of each article.
  private static let keys = 10
  /// Seconds between two keys: a held key goes through all pictures, a looking reader through some
  /// articles.
  private static let paces = [
    (name: "held", seconds: 0.03, articles: Int.max), (name: "looking", seconds: 0.25, articles: 6),
  ]
  private static let idleSeconds = 5.0

  func runPictures() throws {
    let origin = try Origin()
    defer { origin.stop() }
    let feed = serve(on: origin)
    let data = folder + "/pictures"
    _ = try weir(["add", feed], data)
    _ = try weir(["sync", "--all"], data)
    _ = try weir(["pack", "--budget", "500M", "--quiet"], data)
    print("\(Self.pictures) pictures, 120×40 cells of 10×20 pixels.\n")
    print("| key to frame, ms | median | p99 | worst | keys |")
    print("|---|--:|--:|--:|--:|")
    fflush(nil)
    for way in ["blocks", "kitty", "sixel"] {
      for pace in Self.paces {
        try measure(way, pace.name, pace.seconds, articles: pace.articles, data)
      }
    }
  }

  /// Serves a feed whose articles have the pictures, and returns its address.
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
      // More colours than a terminal has.
      let picture = SamplePictures.png(width: 320, height: 200) { x, y in
        (UInt8((x + number) & 255), UInt8(y), UInt8((x * y + number * 7) & 255))
      }
      origin.on("/\(number).png", .answer(picture, type: "image/png"))
    }
    return origin.url("/feed")
  }

  private func measure(
    _ way: String, _ name: String, _ pace: Double, articles: Int, _ data: String
  ) throws {
    try "[sync]\nautomatic = false\n[reader]\nimages = \"\(way)\"\n".write(
      toFile: folder + "/config.toml", atomically: true, encoding: .utf8)
    let reader = try PseudoTerminal(
      [weir, "--offline", "--config", folder + "/config.toml", "--data-dir", data], columns: 120,
      rows: 40, cell: (10, 20), environment: environment.merging(["COLORTERM": "truecolor"]) { $1 })
    guard reader.wait(for: "Walks", deadline: 60) != nil else {
      print("The reader painted nothing.")
      exit(1)
    }
    reader.waitUntilIdle(quiet: 1)
    reader.send("G\r", quiet: 0.5)
    reader.send("gg", quiet: 0.2)
    var frames: [Double?] = []
    var pictures: [Double?] = []
    for _ in 0..<min(articles, (Self.pictures + Self.perArticle - 1) / Self.perArticle) {
      reader.send("\r", quiet: 0.3)
      // The article opens where the previous measurement left it.
      reader.send("gg", quiet: 0.3)
      for _ in 0..<Self.keys {
        let (frame, picture) = page(reader, within: pace)
        frames.append(frame)
        pictures.append(picture)
      }
      reader.waitUntilIdle(quiet: 0.2)
      reader.send("qj", quiet: 0.2)
    }
    table("\(way), \(name)", frames)
    // With a held key, most pictures are gone before they are decoded.
    if name == "looking" { table("\(way), until its pictures are there", pictures) }
    // Waits for pictures that are still being decoded.
    reader.waitUntilIdle(quiet: 1)
    let before = reader.output.count
    let end = ContinuousClock.now + .seconds(Self.idleSeconds)
    while ContinuousClock.now < end { _ = reader.read(wait: 0.1) }
    let sent = reader.output.count - before
    if sent > 0 { print("\(sent) bytes were sent in \(Int(Self.idleSeconds)) s without a key.") }
    fflush(nil)
    quit(reader)
  }

  /// The end of a frame, and text that only frames of keys contain: frames of arriving pictures
  /// have no text.
  private static let frameMarks = ["\u{1B}[?2026l", "ords"]

  /// Milliseconds from a key to the end of its frame, and to the last byte before the next key.
  private func page(
    _ reader: PseudoTerminal, within seconds: Double
  ) -> (frame: Double?, last: Double?) {
    let (start, from) = (ContinuousClock.now, reader.output.count)
    func age() -> Double { (ContinuousClock.now - start).seconds }
    var frame: Double?
    var last: Double?
    var missing = Self.frameMarks
    // A frame of pictures is a megabyte, and arrives in pieces of some kilobytes.
    var searched = from
    reader.send(" ")
    // A late frame is awaited.
    while age() < (frame == nil ? 2 : seconds) {
      guard reader.read(wait: frame == nil ? 0.1 : max(0, seconds - age())) else { continue }
      last = age() * 1e3
      guard frame == nil else { continue }
      missing.removeAll { reader.contains($0, from: searched) }
      searched = max(from, reader.output.count - 16)
      if missing.isEmpty { frame = last }
    }
    return (frame, last)
  }
}
