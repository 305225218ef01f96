import FeedModel
import HTMLContent

/// Properties of HTML that the program has processed.
enum HTMLPromises {
  static func fault(in bytes: [UInt8]) -> String? {
    let html = String(decoding: bytes, as: UTF8.self)
    for baseURL in ["https://e.org/dir/page", nil] {
      if let fault = fault(inClean: HTMLContent.sanitise(html, baseURL: baseURL), baseURL: baseURL)
      {
        return fault
      }
    }
    if let fault = TextPromises.fault(inLine: HTMLContent.plainText(html)) { return fault }
    let line = HTMLContent.cleanText(html)
    if let fault = TextPromises.fault(inLine: line) { return fault }
    for other in [escaped(html), "<b>\(escaped(html))</b>"]
    where HTMLContent.plainText(other) != line {
      return "\(line.debugDescription) has other characters as HTML"
    }
    if depth(HTMLContent.parse(html)) > HTMLContent.maximumDepth { return "too deep a tree" }
    for feed in HTMLContent.announcedFeeds(in: bytes, url: "https://e.org/") {
      if !WebAddress(feed.url).isHTTP { return "\(feed.url.debugDescription) is announced" }
    }
    guard let page = HTMLContent.mainContent(of: bytes, url: "https://e.org/dir/page") else {
      return nil
    }
    return page.title.flatMap(TextPromises.fault(inLine:)) ?? fault(inClean: page.html)
  }

  /// Returns a text as HTML writes it.
  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
  }

  /// Checks sanitised HTML: sanitising it again changes nothing, and nothing in it runs or loads.
  static func fault(inClean html: String, baseURL: String? = nil) -> String? {
    let again = HTMLContent.sanitise(html, baseURL: baseURL)
    if again != html { return "\(html.debugDescription) is cleaned to \(again.debugDescription)" }
    return TextPromises.fault(inText: html) ?? fault(in: HTMLContent.parse(html))
  }

  private static let forbidden: Set<String> = [
    "script", "style", "iframe", "object", "embed", "form", "input", "template", "title", "base",
    "link", "meta", "foreignobject",
  ]
  private static let schemes: Set<String> = [
    "http", "https", "mailto", "ftp", "gemini", "gopher", "tel", "magnet", "xmpp", "irc", "ircs",
  ]

  private static func fault(in nodes: [HTMLNode]) -> String? {
    for case .element(let element) in nodes {
      if forbidden.contains(element.name) { return "<\(element.name)> is left" }
      for (name, value) in element.attributes {
        if name.hasPrefix("on") || name == "srcdoc" { return "\(name)= is left" }
        guard ["href", "src", "poster", "cite", "xlink:href"].contains(name) else { continue }
        if let scheme = WebAddress(value).scheme, !schemes.contains(scheme) {
          return "\(name)=\(value.prefix(80).debugDescription) is left"
        }
      }
      if let fault = fault(in: element.children) { return fault }
    }
    return nil
  }

  private static func depth(_ nodes: [HTMLNode]) -> Int {
    nodes.reduce(0) { deepest, node in
      guard case .element(let element) = node else { return deepest }
      return max(deepest, 1 + depth(element.children))
    }
  }
}
