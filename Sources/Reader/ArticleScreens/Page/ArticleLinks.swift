import ArticleText
import TerminalViews

nonisolated struct ArticleLink: Equatable, Sendable {
  var target: LinkTarget
  /// The address; `nil` for a link within the article.
  var address: String?
  var text: String

  /// The host of the link, or its kind.
  var place: String {
    guard let address else { return LinkWording.withinArticle }
    let parsed = WebAddress(Confusables.shown(address))
    guard parsed.isHTTP, let site = parsed.site else {
      return String(address.prefix { $0 != ":" })
    }
    return site
  }

  func matches(_ needle: String) -> Bool {
    [text, address ?? ""].contains { $0.lowercased().contains(needle) }
  }
}

nonisolated extension ArticleDocument {
  /// The approximate limit of a text in bytes.
  private static let longestText = 120

  /// All links with their texts, in the order of their numbers.
  var linkList: [ArticleLink] {
    var texts: [LinkTarget: String] = [:]
    var last: LinkTarget?
    for line in lines {
      var isFirst = true
      for run in line.textRuns {
        defer { (last, isFirst) = (run.link, false) }
        guard let link = run.link, !run.isLinkNumber else { continue }
        // A repeated link has the same text, or a part of it.
        if texts[link] != nil, last != link { continue }
        let gap = isFirst && line.joint == .space && texts[link] != nil ? " " : ""
        if texts[link, default: ""].utf8.count < Self.longestText {
          texts[link, default: ""] += gap + run.text
        }
      }
    }
    return targets.map { target in
      let address = address(of: target)
      let text = texts[target]?.trimmingWhitespace ?? ""
      return ArticleLink(
        target: target, address: address,
        text: text.isEmpty || text == "picture"
          ? Confusables.shown(address ?? "") : Self.shown(text))
    }
  }

  /// Returns the text of a link, which is often an address.
  private static func shown(_ text: String) -> String {
    if WebAddress(text).isHTTP { return Confusables.shown(text) }
    let host = text.prefix { $0 != "/" }
    guard host.contains("."), !host.contains(" ") else { return text }
    return Confusables.shown(host: String(host)) + text.dropFirst(host.count)
  }
}
