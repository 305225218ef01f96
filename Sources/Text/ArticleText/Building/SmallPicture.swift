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
    if words.contains(where: isInline) || isFormula(element["src"]) { return true }
    guard let style = element["style"]?.lowercased() else { return false }
    return style.split(separator: ";").contains { declaration in
      let parts = declaration.split(separator: ":").map { $0.trimmingWhitespace }
      guard parts.count == 2, parts[0] == "height" || parts[0] == "width" else { return false }
      let number = Double(parts[1].prefix { $0.isNumber || $0 == "." }) ?? .infinity
      // A formula may have several lines.
      return parts[1].hasSuffix("ex")
        ? parts[0] == "height"
        : parts[1].hasSuffix("em")
          ? number <= 3
          : parts[1].hasSuffix("px") && number <= Double(ReadingFacts.largestIcon)
    }
  }

  /// True for a word of a class such as "wp-smiley", "quicklatex", "mwe-math-fallback-image".
  private static func isInline(_ word: Substring) -> Bool {
    word == "tex" || word == "formula" || word.hasPrefix("emoji") || word.hasPrefix("smil")
      || word.hasPrefix("math") || word.hasSuffix("latex") || word.hasSuffix("icon")
  }

  /// True for a picture of a formula by a service: WordPress.com, CodeCogs, Wikipedia and others.
  private static func isFormula(_ address: String?) -> Bool {
    guard let address else { return false }
    return formulaAddresses.contains(where: address.holds)
  }

  private static let formulaAddresses: [StaticString] = [
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
  static func isShareIcon(_ address: String?) -> Bool {
    guard let address else { return false }
    return shareAddresses.contains(where: address.holds)
  }

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

extension Substring {
  fileprivate var trimmingWhitespace: String { String(self).trimming(while: \.isWhitespace) }
}
