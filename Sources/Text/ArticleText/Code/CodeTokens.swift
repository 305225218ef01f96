/// Maps token classes of `<span>`, as highlighters write them, to styles.
enum CodeTokens {
  /// Returns the style of a token class; `nil` if it has none here.
  static func style(ofClass classes: String?) -> TextStyle? {
    guard let classes else { return nil }
    for name in classes.split(separator: " ") {
      if let style = short[name] { return style }
      if name.hasPrefix("hljs-") { return long[name.dropFirst(5)] }
      if name == "token" || name.hasPrefix("pl-") { continue }
      if let style = long[name] { return style }
    }
    return nil
  }

  /// Classes of Pygments, Rouge and Chroma.
  private static let short = table([
    (.comment, "c c1 cm cs ch cp cpf sd"), (.keyword, "k kc kd kn kp kr kt kv ow"),
    (.string, "s s1 s2 sa sb sc dl se sh si sx sr ss"), (.number, "m mb mf mh mi mo mx il"),
  ])

  /// Classes of highlight.js and Prism.
  private static let long = table([
    (.comment, "comment prolog doctype cdata"),
    (.keyword, "keyword boolean literal built_in important atrule"),
    (.string, "string char regexp regex template-string attr-value"), (.number, "number"),
  ])

  private static func table(_ styles: [(TextStyle, String)]) -> [Substring: TextStyle] {
    Dictionary(
      uniqueKeysWithValues: styles.flatMap { style, names in
        names.split(separator: " ").map { ($0, style) }
      })
  }
}
