import FeedModel
import HTMLContent
import TextRules

/// Detects inline and uninteresting pictures, and meaningless descriptions.
enum SmallPicture {
  /// True for formulas, emoji and icons, which are shown inline by their description.
  static func isSmall(_ element: HTMLElement) -> Bool {
    for side in ["width", "height"] {
      let digits = (element[side] ?? "").prefix { $0.isASCII && $0.isNumber }
      if let pixels = Int(digits), pixels <= ReadingFacts.largestIcon { return true }
    }
    let words = (element["class"] ?? "").lowercased().split { !$0.isLetter }
    if words.contains(where: isInline) || holds(element["src"], inlineAddresses) { return true }
    if isInline(description: element["alt"] ?? "") { return true }
    return ["width", "height"].contains { side in
      guard let length = element.declared(side) else { return false }
      let number = Double(length.prefix { $0.isNumber || $0 == "." }) ?? .infinity
      // A formula may have several lines.
      return length.hasSuffix("ex")
        ? side == "height"
        : length.hasSuffix("em")
          ? number <= 3
          : length.hasSuffix("px") && number <= Double(ReadingFacts.largestIcon)
    }
  }

  /// True for a word of a class such as "wp-smiley", "quicklatex", "mwe-math-fallback-image".
  private static func isInline(_ word: Substring) -> Bool {
    word == "formula" || word == "emoticon" || word.hasPrefix("emoji") || word.hasPrefix("smil")
      || word.hasPrefix("math") || word == "tex" || word == "katex" || word.hasSuffix("latex")
      || word.hasSuffix("icon")
  }

  /// True for TeX, such as "$x^2$" and "\\frac{a}{b}", and smileys, such as ":-)" and ":smile:".
  private static func isInline(description: String) -> Bool {
    let text = description.trimming { $0 == " " }
    guard text.count > 1, let first = text.first, let last = text.last else { return false }
    if first == "$" || first == ":" && text.count > 3 {
      return first == last && !text.contains("\n")
    }
    if first == "\\" || text.contains("\\frac") || text.contains("^{") { return true }
    return text.count < 4 && ":;=8".contains(first) && ")(DPpOo|/\\3*".contains(last)
  }

  private static func holds(_ address: String?, _ parts: [StaticString]) -> Bool {
    address.map { parts.contains(where: $0.holds) } ?? false
  }

  /// Services that draw formulas, such as WordPress.com, CodeCogs and Wikipedia, and the smileys of
  /// forums and weblogs.
  private static let inlineAddresses: [StaticString] = [
    "/smilies/", "/smileys/", "/emoticons/", "/emoji/",
    "/latex.php?", "latex.codecogs.com/", "/media/math/render/", "/render/math?math=",
    "/mathtex.cgi?", "/mimetex.cgi?", "chart?cht=tx", "quicklatex.com/cache", "equation?tex=",
    "i.upmath.me/",
  ]

  /// Returns the TeX of a formula without Wikipedia's setting of the size.
  static func formula(_ text: String) -> String {
    for style in ["{\\displaystyle ", "{\\textstyle "]
    where text.hasPrefix(style) && text.hasSuffix("}") {
      return String(text.dropFirst(style.count).dropLast())
    }
    return text
  }

  /// True for buttons and counters that services add to feeds.
  static func isShareIcon(_ address: String?) -> Bool { holds(address, shareAddresses) }

  private static let shareAddresses: [StaticString] = [
    "://feeds.feedburner.com/~", "://feedads.g.doubleclick.net/", "://feeds.wordpress.com/1.0/",
    ".feedsportal.com/", "://assets.feedblitz.com/", "://www.feedblitz.com/",
    "://static.addtoany.com/", "://feeds.feedblitz.com/_/", "://stats.wordpress.com/b.gif",
  ]

  /// Returns the description, unless it is only a file name.
  static func caption(_ description: String) -> String {
    let text = description.lowercased()
    if text.holds(" ") || text.holds("\u{A0}") { return description }
    let isPhotograph = text.utf8.last.map { (0x30...0x39).contains($0) } ?? false
    return endings.contains { text.hasSuffix($0) }
      || isPhotograph && cameraNames.contains { text.hasPrefix($0) } ? "" : description
  }

  /// Prefixes of file names from cameras and telephones.
  private static let cameraNames = ["img_", "img-", "dsc", "pxl_", "screenshot_"]

  private static let endings = [
    ".jpg", ".jpeg", ".png", ".gif", ".webp", ".svg", ".avif", ".bmp", ".heic",
  ]
}

extension HTMLElement {
  /// The first word of a property's value: "right" in "text-align: right; color: red".
  func declared(_ property: String) -> String? {
    guard let words = self["style"]?.lowercased().split(whereSeparator: { " :;".contains($0) })
    else { return nil }
    return words.lastIndex(of: property[...]).flatMap { words[($0 + 1)...].first.map(String.init) }
  }
}
