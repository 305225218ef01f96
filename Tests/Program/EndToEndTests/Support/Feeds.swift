/// Small feeds to serve.
enum Feeds {
  /// Returns RSS 2.0 with items of these titles, newest first.
  static func rss(_ title: String, _ items: [String], body: String = "<p>Text of it.</p>") -> String
  {
    var out = "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>\(title)</title>"
    // Each feed has its own pages, because articles of one page count as one story.
    let page = title.filter { $0.isLetter || $0.isNumber }
    for (index, item) in items.enumerated() {
      let hour = 10 + items.count - index
      out += "<item><title>\(item)</title><guid>\(title)/\(item)</guid>"
      out += "<link>https://example.org/\(items.count - index)/\(page)</link>"
      out += "<pubDate>Mon, 05 Jan 2026 \(hour):00:00 GMT</pubDate>"
      out += "<description><![CDATA[\(body)]]></description></item>"
    }
    return out + "</channel></rss>"
  }

  static func opml(_ urls: [(name: String, url: String)], folder: String = "News") -> String {
    var out = "<opml version=\"2.0\"><head><title>T</title></head><body>"
    out += "<outline text=\"\(folder)\">"
    for (name, url) in urls {
      out += "<outline type=\"rss\" text=\"\(name)\" xmlUrl=\"\(url)\"/>"
    }
    return out + "</outline></body></opml>"
  }
}
