import Foundation
import TestSupport

/// A small web of invented feeds behind a local proxy, shown in the screenshots.
final class DemonstrationWeb {
  struct Feed {
    var folder: String
    var name: String
    var host: String
    /// Titles of the items, newest first.
    var titles: [String]
    var body: String?
    /// Seconds before the server answers.
    var delay = 0.02
    var status = 200
    var enclosure: String?
  }

  private let origin: Origin

  init() throws {
    origin = try Origin()
    for (place, feed) in Self.feeds.enumerated() {
      // A proxy receives whole addresses.
      origin.on("http://\(feed.host)/") { _ in
        let answer =
          feed.status == 200
          ? Reply.answer(Self.rss(feed, place)) : Reply.answer("", status: feed.status)
        return answer.after(feed.delay)
      }
    }
  }

  /// The environment in which a program reaches the web.
  var environment: [String: String] {
    ["http_proxy": "http://127.0.0.1:\(origin.port)", "no_proxy": ""]
  }

  var opml: String {
    var out = "<opml version=\"2.0\"><body>"
    var folders: [String] = []
    for feed in Self.feeds where !folders.contains(feed.folder) { folders.append(feed.folder) }
    for folder in folders {
      let feeds = Self.feeds.filter { $0.folder == folder }.map {
        "<outline type=\"rss\" text=\"\($0.name)\" xmlUrl=\"http://\($0.host)/feed\"/>"
      }.joined()
      out += folder.isEmpty ? feeds : "<outline text=\"\(folder)\">\(feeds)</outline>"
    }
    return out + "</body></opml>"
  }

  private static func rss(_ feed: Feed, _ place: Int) -> String {
    let form = DateFormatter()
    form.locale = Locale(identifier: "en_US_POSIX")
    form.dateFormat = "EEE, dd MMM yyyy HH:mm:ss Z"
    var out = "<rss version=\"2.0\"><channel><title>\(feed.name)</title>"
    for (index, title) in feed.titles.enumerated() {
      // Spreads the items over some days, at a different rate for each feed.
      let hours = pow(Double(index), 1.9) * 7 + 0.1 + 0.6 * Double(place)
      let date = form.string(from: Date().addingTimeInterval(-hours * 3_600))
      let body = index == 0 ? feed.body : nil
      out += "<item><guid>\(feed.host)/\(index)</guid><title>\(title)</title>"
      out += "<link>https://\(feed.host)/\(feed.titles.count - index)</link>"
      out += "<pubDate>\(date)</pubDate>"
      if index == 1, let enclosure = feed.enclosure {
        out += "<enclosure url=\"http://\(feed.host)/\(enclosure)\" type=\"audio/mpeg\" "
        out += "length=\"28400000\"/>"
      }
      out += "<description><![CDATA[\(body ?? Self.plain)]]></description></item>"
    }
    return out + "</channel></rss>"
  }

  private static let plain = """
    <p>A short piece with one thought in it, written on a train and finished at the kitchen table. The \
    checkpoint of the day: less is enough.</p>
    """

  private static let essay = """
    <p>A validator is a black box. The server made it, and the client hands it back, \
    <strong>byte for byte</strong>, quotes and all. That is the whole contract, and most of what goes \
    wrong with conditional requests begins where somebody looks inside. See \
    <a href="https://www.rfc-editor.org/rfc/rfc9110">RFC 9110</a> and \
    <a href="https://notes.example/etags">my older notes</a>.</p>
    <h2>What goes wrong</h2>
    <ul><li>The quotes are stripped on the way into the database.</li>
    <li>The <code>W/</code> of a weak validator is <em>tidied</em> away.
    <ul><li>The next answer is a full one.</li><li>So is every answer after it.</li></ul></li>
    <li>The validator outlives the address that gave it.</li></ul>
    <blockquote><p>A cache that understands its validators is a cache that will one day disagree with \
    them.</p></blockquote>
    <p>The exchange is two headers long:</p>
    <pre><code>If-None-Match: W/"5e-1a2b"
    If-Modified-Since: Sat, 21 Nov 2026 10:40:00 GMT</code></pre>
    <table><tr><th>answer</th><th>bytes</th><th>means</th></tr>
    <tr><td>304</td><td>180</td><td>nothing new</td></tr>
    <tr><td>200</td><td>48,000</td><td>somebody tidied</td></tr></table>
    <p>全角文字の段落も、行末で正しく折り返されなければならない。</p>
    """

  static let feeds: [Feed] = [
    Feed(
      folder: "Systems", name: "The Page Cache", host: "pagecache.example",
      titles: [
        "Why ETags are opaque", "Notes on WAL checkpoints", "Splicing pages without copying them",
        "A scheduler for small machines", "Reading a flame graph upside down",
      ], body: essay),
    Feed(
      folder: "Systems", name: "Query Plan", host: "queryplan.example",
      titles: [
        "An index that nobody asked for", "Forty years of B-trees",
        "The optimiser is not your friend",
        "What a checkpoint waits for",
      ], delay: 0.4),
    Feed(
      folder: "Systems", name: "Old Gazette", host: "gazette.example", titles: ["The last number"],
      delay: 0.2, status: 503),
    Feed(
      folder: "Terminals", name: "Cell by Cell", host: "cells.example",
      titles: [
        "A quieter terminal", "Sixteen colours are plenty", "Width is a property of the font",
        "Mice in a world of keys",
      ], delay: 0.9),
    Feed(
      folder: "Terminals", name: "终端周刊", host: "weekly.example",
      titles: ["如何读懂一个终端里的宽字符，以及为什么右边框总是歪的", "每周分享第 88 期", "每周分享第 87 期"], delay: 1.4),
    Feed(
      folder: "Networks", name: "Long Fat Pipe", host: "pipe.example",
      titles: [
        "The BDP and you", "Queues, seen from the train", "Slow start, explained slowly",
        "A tunnel is not an outage",
      ], delay: 1.9),
    Feed(
      folder: "Networks", name: "أخبار الشبكات", host: "shabakat.example",
      titles: ["كيف تعمل الشبكات في القطار", "قياس النطاق الترددي"], delay: 2.3),
    Feed(
      folder: "", name: "Rocket 🚀 Log", host: "rocket.example",
      titles: [
        "Launch day 👩‍🚀 with a family 👨‍👩‍👧‍👦 of four", "Episode 12: Re-entry", "Scrubbed, again",
      ], delay: 0.6, enclosure: "episode-12.mp3"),
    Feed(
      folder: "", name: "Slow Gardening", host: "garden.example",
      titles: ["Frost, and what it spares", "A hedge is a promise", "Seeds that waited ten years"],
      delay: 2.8),
    Feed(
      folder: "", name: "Weeknotes", host: "weeknotes.example",
      titles: ["Weeknotes 47", "Weeknotes 46", "Weeknotes 45", "Weeknotes 44"], delay: 3.2),
    Feed(
      folder: "", name: "Closed Shop", host: "closed.example", titles: ["Moved"], delay: 0.3,
      status: 404),
  ]
}
