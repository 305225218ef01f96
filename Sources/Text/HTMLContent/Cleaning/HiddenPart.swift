internal import TextRules

/// Effects of an attribute on how a browser shows an element.
struct HiddenPart: OptionSet {
  let rawValue: UInt8
  /// Not displayed, invisible, beside the page, left out by Outlook (`mso-hide`), or for screen
  /// readers alone.
  static let isHidden = HiddenPart(rawValue: 1 << 0)
  /// Makes pictures in the element invisible.
  static let isEmpty = HiddenPart(rawValue: 1 << 1)
  /// Line numbers of code, which copying leaves out.
  static let numbersLines = HiddenPart(rawValue: 1 << 2)
  /// Left out by screen readers, as copies of formulas beside their MathML are.
  static let isCopy = HiddenPart(rawValue: 1 << 3)
}

extension HiddenPart {
  /// Reads `hidden`. Browsers show a part that is hidden until found if it is found.
  init(hidden value: some Sequence<UInt8>) {
    self = value.map(\.asciiLowercased).elementsEqual("until-found".utf8) ? [] : .isHidden
  }

  init(style: some Collection<UInt8>) {
    self = []
    var isDisplayed = true
    for declaration in style.split(separator: UInt8(ascii: ";")).prefix(32) {
      let plain = declaration.filter { !$0.isSpace }.map(\.asciiLowercased)
      guard let colon = plain.firstIndex(of: UInt8(ascii: ":")) else { continue }
      // Leaves out "!important".
      let value = plain[(colon + 1)...].prefix { $0 != UInt8(ascii: "!") }.string
      switch plain[..<colon].string {
      case "display": isDisplayed = value != "none"
      case "visibility", "mso-hide": if value == "hidden" || value == "all" { insert(.isHidden) }
      case "left", "top": if value.hasPrefix("-9999") { insert(.isHidden) }
      case "clip": if value.hasPrefix("rect(0") || value.hasPrefix("rect(1px") { insert(.isHidden) }
      case "height", "width": if value == "0" || value == "0px" { insert(.isEmpty) }
      case "user-select", "-webkit-user-select": if value == "none" { insert(.numbersLines) }
      default: continue
      }
    }
    if !isDisplayed { insert(.isHidden) }
  }

  init(class value: UnsafeBufferPointer<UInt8>) {
    self = []
    var start = 0
    for index in 0...value.count where index == value.count || value[index].isSpace {
      if index > start, let place = Self.names.table.place(of: PackedName(value, start..<index)) {
        formUnion(Self.names.effects[place])
      }
      start = index + 1
    }
  }

  /// Classes, which also occur without hyphens and with underscores.
  private static let names: (table: NameTable, effects: [HiddenPart]) = {
    let groups: [(HiddenPart, String)] = [
      // Bootstrap 3 to 5, Bulma, Drupal, Foundation, GOV.UK, jQuery UI, Tailwind, WordPress;
      // Mastodon calls the parts of an address `invisible` that it does not show.
      (
        .isHidden,
        """
        a11y-hidden a11y-only a11y-text accessibility-hidden accessibly-hidden assistive-text
        cdk-visually-hidden element-invisible govuk-visually-hidden hidden-accessible
        hidden-visually hide-visually is-sr-only is-visually-hidden nhsuk-u-visually-hidden
        off-screen only-screen-reader screen-reader screen-reader-only screen-reader-shortcut
        screen-reader-text screen-readers-only show-for-sr sr-only sr-only-focusable sr-text
        u-hidden-visually u-sr-only u-visually-hidden ui-helper-hidden-accessible usa-sr-only
        visually-hidden visually-hidden-focusable screenreader-only screenreader-text invisible
        """
      ),
      // Chroma, Crayon, GitHub, highlight.js, Hexo, Prism, Pygments, Rouge, SyntaxHighlighter.
      (
        .numbersLines,
        """
        blob-num code-line-number crayon-num crayon-nums gl gutter hljs-ln-n hljs-ln-numbers
        line-num line-number line-numbers line-numbers-rows linenodiv lineno linenos ln lnlinks
        lnt lnum react-syntax-highlighter-line-number rouge-gutter
        """
      ),
      // MathJax 2, Wikipedia's pictures.
      (.isCopy, "mathjax_preview mwe-math-fallback-image-display mwe-math-fallback-image-inline"),
    ]
    var names: [String] = []
    var effects: [HiddenPart] = []
    for (effect, words) in groups {
      for word in words.split(whereSeparator: \.isWhitespace) {
        names += ["-", "", "_"].map { String(word).replacing("-", with: $0) }
        effects += [effect, effect, effect]
      }
    }
    return (NameTable(names), effects)
  }()
}
