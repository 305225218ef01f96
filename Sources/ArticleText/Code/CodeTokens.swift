/// What the highlighters of other programs call the parts of code, in the classes of `<span>`.
enum CodeTokens {
  /// The style of the token that a class names; nil if it names none that has a style here.
  static func style(ofClass classes: String?) -> TextStyle? {
    guard let classes else { return nil }
    for name in classes.split(separator: " ") {
      if let style = short[String(name)] { return style }
      if name.hasPrefix("hljs-") { return long[String(name.dropFirst(5))] }
      if name == "token" || name.hasPrefix("pl-") { continue }
      if let style = long[String(name)] { return style }
    }
    return nil
  }

  /// Of Pygments, Rouge and Chroma.
  private static let short: [String: TextStyle] = {
    var table: [String: TextStyle] = [:]
    for (style, names) in [
      (TextStyle.comment, "c c1 cm cs ch cp cpf sd"),
      (.keyword, "k kc kd kn kp kr kt kv ow"),
      (.string, "s s1 s2 sa sb sc dl se sh si sx sr ss"),
      (.number, "m mb mf mh mi mo mx il"),
    ] {
      for name in names.split(separator: " ") { table[String(name)] = style }
    }
    return table
  }()

  /// Of highlight.js and Prism.
  private static let long: [String: TextStyle] = {
    var table: [String: TextStyle] = [:]
    for (style, names) in [
      (TextStyle.comment, "comment prolog doctype cdata"),
      (.keyword, "keyword boolean literal built_in important atrule"),
      (.string, "string char regexp regex template-string attr-value"),
      (.number, "number"),
    ] {
      for name in names.split(separator: " ") { table[String(name)] = style }
    }
    return table
  }()
}

extension BlockBuilder {
  /// Gives the parts of code their styles: those that the page names, else those that the language
  /// has.
  mutating func colour(_ lines: inout [InlineText], frame: Int) {
    guard !frames[frame].hasOwnTokens else { return }
    if frames[frame].lexer == nil {
      guard let language = frames[frame].language ?? frames[frame].context.language else { return }
      frames[frame].lexer = CodeLexer(language)
    }
    for index in lines.indices {
      guard let parts = frames[frame].lexer?.tokens(in: lines[index].bytes) else { return }
      lines[index].add(parts)
    }
  }
}
