internal import TextRules

/// Decides from attributes which elements a browser does not show.
enum HiddenPart {
  /// True for a value of `hidden`. Browsers show a part that is hidden until found if it is found.
  static func isHiding(hidden value: some Sequence<UInt8>) -> Bool {
    !value.map(\.asciiLowercased).elementsEqual("until-found".utf8)
  }

  /// The effects of a style attribute.
  struct Effects: OptionSet {
    let rawValue: UInt8
    /// Not displayed, invisible, beside the page, or left out by Outlook (`mso-hide`).
    static let hides = Effects(rawValue: 1 << 0)
    /// Makes pictures in the element invisible.
    static let isEmpty = Effects(rawValue: 1 << 1)
    /// Copying leaves out the text.
    static let isNotCopied = Effects(rawValue: 1 << 2)
  }

  static func effects(style: some Collection<UInt8>) -> Effects {
    var effects: Effects = []
    var isDisplayed = true
    for declaration in style.split(separator: UInt8(ascii: ";")).prefix(32) {
      let plain = declaration.filter { !$0.isSpace }.map(\.asciiLowercased)
      guard let colon = plain.firstIndex(of: UInt8(ascii: ":")) else { continue }
      // Leaves out "!important".
      let value = plain[(colon + 1)...].prefix { $0 != UInt8(ascii: "!") }.string
      switch plain[..<colon].string {
      case "display": isDisplayed = value != "none"
      case "visibility": if value == "hidden" { effects.insert(.hides) }
      case "mso-hide": if value == "all" { effects.insert(.hides) }
      case "left", "top": if value.hasPrefix("-9999") { effects.insert(.hides) }
      case "clip": if clips.contains(where: value.hasPrefix) { effects.insert(.hides) }
      case "height", "width": if value == "0" || value == "0px" { effects.insert(.isEmpty) }
      case "user-select", "-webkit-user-select": if value == "none" { effects.insert(.isNotCopied) }
      default: continue
      }
    }
    return isDisplayed ? effects : effects.union(.hides)
  }

  private static let clips = ["rect(0", "rect(1px"]

  // MARK: Classes

  /// True for a class of text for screen readers, by the names of Bootstrap 3 to 5, Bulma, Drupal,
  /// Foundation, GOV.UK, jQuery UI, Tailwind, WordPress and others.
  static func isForScreenReaders(class value: UnsafeBufferPointer<UInt8>) -> Bool {
    holds(value, screenReaderNames)
  }

  /// True for a class of line numbers, by the names of Chroma, Crayon, GitHub, highlight.js, Hexo,
  /// Prism, Pygments, Rouge and SyntaxHighlighter.
  static func isLineNumber(class value: UnsafeBufferPointer<UInt8>) -> Bool {
    holds(value, lineNumberNames)
  }

  /// True for a class of a formula's copy beside its MathML: MathJax 2, and Wikipedia's pictures.
  static func isFormulaCopy(class value: UnsafeBufferPointer<UInt8>) -> Bool {
    holds(value, formulaCopyNames)
  }

  private static func holds(_ value: UnsafeBufferPointer<UInt8>, _ names: NameTable) -> Bool {
    var start = 0
    for index in 0...value.count where index == value.count || value[index].isSpace {
      if index > start, names.contains(PackedName(value, start..<index)) { return true }
      start = index + 1
    }
    return false
  }

  private static let screenReaderNames = NameTable(
    [
      "a11y-hidden", "a11y-only", "a11y-text", "accessibility-hidden", "accessibly-hidden",
      "assistive-text", "cdk-visually-hidden", "element-invisible", "govuk-visually-hidden",
      "hidden-accessible", "hidden-visually", "hide-visually", "is-sr-only", "is-visually-hidden",
      "nhsuk-u-visually-hidden", "off-screen", "only-screen-reader", "screen-reader",
      "screen-reader-only", "screen-reader-shortcut", "screen-reader-text", "screenreader-only",
      "screenreader-text", "screen-readers-only", "show-for-sr", "sr-only", "sr-only-focusable",
      "sr-text", "u-hidden-visually", "u-sr-only", "u-visually-hidden",
      "ui-helper-hidden-accessible", "usa-sr-only", "visually-hidden", "visually-hidden-focusable",
    ].flatMap { [$0, $0.replacing("-", with: ""), $0.replacing("-", with: "_")] })

  private static let lineNumberNames = NameTable([
    "blob-num", "code-line-number", "crayon-num", "crayon-nums", "gl", "gutter", "hljs-ln-n",
    "hljs-ln-numbers", "line-num", "line-number", "line-numbers", "line-numbers-rows",
    "line_number", "line_numbers", "linenodiv", "lineno", "linenos", "linenum", "linenumber",
    "linenumbers", "ln", "lnlinks", "lnt", "lnum", "react-syntax-highlighter-line-number",
    "rouge-gutter",
  ])

  private static let formulaCopyNames = NameTable([
    "mathjax_preview", "mwe-math-fallback-image-display", "mwe-math-fallback-image-inline",
  ])
}
