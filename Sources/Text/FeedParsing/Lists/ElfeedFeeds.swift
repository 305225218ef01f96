internal import FeedModel
internal import HTMLContent
internal import TextRules

/// Feed lists of elfeed in an Emacs configuration: `(setq elfeed-feeds '("URL" ("URL" tag)))`, or
/// elfeed-org outlines: headlines with addresses below a headline with the tag `elfeed`.
package enum ElfeedFeeds {
  private static let variable = "elfeed-feeds"

  /// Returns true if a text has either form.
  package static func claims(_ bytes: [UInt8]) -> Bool {
    let text = TextDecoding.utf8(bytes, contentType: nil)
    return text.string.contains("elfeed-feeds") || isOrg(text.string)
  }

  /// - Throws: if the bytes are not text.
  package static func parse(_ bytes: [UInt8]) throws(ParseError) -> OPML.Outline {
    try Sniffer.requireText(bytes)
    let text = TextDecoding.utf8(bytes, contentType: nil).string
    return isOrg(text) ? org(text) : lisp(text)
  }

  private static func isOrg(_ text: String) -> Bool {
    text.split(separator: "\n").contains { $0.hasPrefix("*") && $0.contains(":elfeed:") }
  }

  private static func add(
    _ address: String, title: String?, folder: [String]? = nil, tags: [String],
    to outline: inout OPML.Outline
  ) {
    guard let url = Values.clean(address), WebAddress(url).isHTTP,
      url.utf8.count <= Values.maximumAddress
    else {
      return outline.skipped.append("\(PlainText.cut(address, to: 80)) isn\u{2019}t a web address.")
    }
    var list = TagList()
    for tag in tags { list.add(PlainText.read(tag, isHTML: false, limit: 512)) }
    outline.entries.append(
      OutlineEntry(
        url: url, title: PlainText.read(title, isHTML: false),
        folder: folder ?? Array(list.values.prefix(1)), tags: list.values))
  }

  // MARK: Lisp

  private indirect enum Form {
    case text(String)
    case symbol(String)
    case list([Form])
  }

  private static func lisp(_ text: String) -> OPML.Outline {
    var outline = OPML.Outline()
    if text.contains("(elfeed-make-tagger") {
      outline.skipped.append("elfeed-make-tagger: rules for tags are added with weir rule add.")
    }
    var rest = text[...]
    // Every mention of the variable may precede a list.
    while let range = rest.firstRange(of: variable) {
      rest = rest[range.upperBound...]
      var reader = LispReader(rest)
      guard let form = reader.next(), case .list(let feeds) = form else { continue }
      rest = reader.rest
      for feed in feeds { add(feed, &outline) }
    }
    return outline
  }

  private static func add(_ form: Form, _ outline: inout OPML.Outline) {
    switch form {
    case .text(let url): add(url, title: nil, tags: [], to: &outline)
    case .symbol: break
    case .list(let parts):
      guard case .text(let url)? = parts.first else { return }
      var (title, tags) = (String?.none, [String]())
      var index = 1
      while index < parts.count {
        defer { index += 1 }
        guard case .symbol(let name) = parts[index] else { continue }
        guard name.hasPrefix(":") else {
          tags.append(name)
          continue
        }
        // Skips a property and its value.
        index += 1
        if name == ":title", index < parts.count, case .text(let text) = parts[index] {
          title = text
        }
      }
      add(url, title: title, tags: tags, to: &outline)
    }
  }

  private struct LispReader {
    private(set) var rest: Substring
    private static let mostNested = 8

    init(_ rest: Substring) { self.rest = rest }

    mutating func next(depth: Int = 0) -> Form? {
      skip()
      guard let first = rest.first, depth < Self.mostNested else { return nil }
      switch first {
      case "\"": return .text(quoted())
      case "(", "[":
        rest = rest.dropFirst()
        var forms: [Form] = []
        while true {
          skip()
          guard let next = rest.first else { return .list(forms) }
          if next == ")" || next == "]" {
            rest = rest.dropFirst()
            return .list(forms)
          }
          guard let form = self.next(depth: depth + 1) else { return .list(forms) }
          forms.append(form)
        }
      case ")", "]": return nil
      default:
        let word = rest.prefix { !$0.isWhitespace && !"()[]\";".contains($0) }
        guard !word.isEmpty else { return nil }
        rest = rest.dropFirst(word.count)
        return .symbol(String(word))
      }
    }

    /// Skips white space, comments and quote signs.
    private mutating func skip() {
      while let first = rest.first {
        if first.isWhitespace || "'`,#".contains(first) {
          rest = rest.dropFirst()
        } else if first == ";" {
          rest = rest.drop { $0 != "\n" }
        } else {
          return
        }
      }
    }

    private mutating func quoted() -> String {
      var text = ""
      rest = rest.dropFirst()
      while let character = rest.popFirst(), character != "\"" {
        if character == "\\", let next = rest.popFirst() {
          text.append(next)
        } else {
          text.append(character)
        }
      }
      return text
    }
  }

  // MARK: Org

  private static func org(_ text: String) -> OPML.Outline {
    var outline = OPML.Outline()
    var around: [(depth: Int, name: String, tags: [String])] = []
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where line.hasPrefix("*") {
      let depth = line.prefix { $0 == "*" }.count
      guard line.dropFirst(depth).first == " " else { continue }
      around.removeAll { $0.depth >= depth }
      let (name, tags) = headline(line.dropFirst(depth))
      guard around.contains(where: { $0.tags.contains("elfeed") }) || tags.contains("elfeed") else {
        continue
      }
      // elfeed-org omits such headlines and their children.
      guard !tags.contains("ignore"), !around.contains(where: { $0.tags.contains("ignore") }) else {
        around.append((depth, name, tags))
        continue
      }
      if let expression = tagRule(name) {
        outline.skipped.append(
          "Line \(index + 1): a rule for tags; add it with: weir rule add 'title:/\(expression)/'"
            + tags.map { " --tag \($0)" }.joined())
      } else if let (url, title) = address(name) {
        let folders = around.filter { !$0.tags.contains("elfeed") }
        let inherited = folders.flatMap(\.tags)
        add(
          url, title: title, folder: folders.map(\.name), tags: inherited + tags, to: &outline)
      } else {
        around.append((depth, name, tags))
      }
    }
    return outline
  }

  /// Converts `entry-title: \(linux\|emacs\)` from Emacs syntax.
  private static func tagRule(_ name: String) -> String? {
    guard name.hasPrefix("entry-title:") else { return nil }
    return name.dropFirst("entry-title:".count).split(separator: " ").joined(separator: " ")
      .replacing("\\(", with: "(").replacing("\\)", with: ")").replacing("\\|", with: "|")
  }

  /// Parses `Name :tag:other:`.
  private static func headline(_ text: Substring) -> (name: String, tags: [String]) {
    let trimmed = text.split(separator: " ").joined(separator: " ")
    guard trimmed.hasSuffix(":"), let space = trimmed.lastIndex(of: " "),
      trimmed[trimmed.index(after: space)...].hasPrefix(":")
    else {
      return trimmed.hasPrefix(":") && trimmed.hasSuffix(":")
        ? ("", trimmed.split(separator: ":").map(String.init)) : (trimmed, [])
    }
    let tags = trimmed[space...].split(separator: ":").map(String.init).filter { $0 != " " }
    return (String(trimmed[..<space]), tags)
  }

  /// Parses `https://… Title`, or `[[https://…][Title]]`.
  private static func address(_ name: String) -> (url: String, title: String?)? {
    if name.hasPrefix("[[") {
      let parts = name.dropFirst(2).split(separator: "]", omittingEmptySubsequences: true)
      guard let url = parts.first, WebAddress(String(url)).isHTTP else { return nil }
      let title = parts.dropFirst().first.map { $0.drop { $0 == "[" } }
      return (String(url), title.flatMap { $0.isEmpty ? nil : String($0) })
    }
    let words = name.split(separator: " ", maxSplits: 1)
    guard let url = words.first, WebAddress(String(url)).isHTTP else { return nil }
    return (String(url), words.count > 1 ? String(words[1]) : nil)
  }
}
