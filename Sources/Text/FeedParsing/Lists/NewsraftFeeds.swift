internal import FeedModel
internal import HTMLContent
internal import TextRules

/// newsraft's `feeds` file (newsraft manual, "FEEDS FILE"): `URL "name" < reload-period 30`,
/// sections as `@ name`, programs as `$(command)`.
package enum NewsraftFeeds {
  /// Returns true if the text has sections, programs or settings, which newsboat's list lacks.
  package static func claims(_ bytes: [UInt8]) -> Bool {
    lines(bytes).contains { line in
      line.starts(with: "@ ".utf8) || line.starts(with: "$(".utf8)
        || line.starts(with: "http".utf8)
          && (contains(line, " < ") || line.last == UInt8(ascii: "]") && contains(line, " [")
            || line.last == UInt8(ascii: "}") && contains(line, " {"))
    }
  }

  /// - Parameter mayBeOwn: true for the user's own list, in which programs and files are allowed.
  /// - Throws: if the bytes are not text.
  package static func parse(
    _ bytes: [UInt8], mayBeOwn: Bool = false
  ) throws(ParseError) -> OPML.Outline {
    try Sniffer.requireText(bytes)
    var outline = OPML.Outline()
    var section: [String] = []
    var shared = FeedOptions()
    for (index, line) in lines(bytes).enumerated() {
      guard let first = line.first, first != UInt8(ascii: "#") else { continue }
      var reader = Line(line.string, number: index + 1)
      if first == UInt8(ascii: "@") {
        let name = reader.section()
        shared = reader.options(over: FeedOptions())
        section = PlainText.read(name, isHTML: false, limit: 512).map { [$0] } ?? []
        if section == ["Global"] { section = [] }
      } else if let url = reader.address() {
        let name = reader.name()
        var entry = OutlineEntry(url: url, folder: section)
        entry.title = PlainText.read(name, isHTML: false)
        entry.options = reader.options(over: shared)
        let isOwn = LocalSource(url) != nil
        if WebAddress(url).isHTTP || isOwn && mayBeOwn {
          outline.entries.append(entry)
        } else if isOwn {
          outline.skipped.append(
            "Line \(reader.number): a feed from a program or a file needs --with-programs "
              + "(or weir add).")
        } else {
          outline.skipped.append("Line \(reader.number): not a web address.")
        }
      }
      outline.skipped += reader.problems
    }
    return outline
  }

  private static func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    let text = TextDecoding.utf8(bytes, contentType: nil)
    return text.split(separator: 0x0A, omittingEmptySubsequences: false).map(\.trimmed)
  }

  private static func contains(_ line: ArraySlice<UInt8>, _ text: String) -> Bool {
    line.string.contains(text)
  }

  /// A line, read from left to right.
  private struct Line {
    let number: Int
    private(set) var problems: [String] = []
    private var rest: Substring

    init(_ text: String, number: Int) {
      rest = text[...]
      self.number = number
    }

    private mutating func skip() { rest = rest.drop { $0 == " " || $0 == "\t" } }

    /// Reads the name of a section, up to its settings.
    mutating func section() -> String {
      rest = rest.dropFirst()
      skip()
      let end = rest.firstIndex { "<[{".contains($0) } ?? rest.endIndex
      defer { rest = rest[end...] }
      return String(rest[..<end])
    }

    /// Reads an address, or a shell command in `$(…)`.
    mutating func address() -> String? {
      guard rest.hasPrefix("$(") else {
        let word = rest.prefix { $0 != " " && $0 != "\t" }
        rest = rest.dropFirst(word.count)
        return Values.clean(String(word))
      }
      var depth = 0
      var index = rest.index(after: rest.startIndex)
      while index < rest.endIndex {
        if rest[index] == "(" { depth += 1 }
        if rest[index] == ")" {
          depth -= 1
          if depth == 0 { break }
        }
        index = rest.index(after: index)
      }
      guard index < rest.endIndex else { return nil }
      let command = rest[rest.index(rest.startIndex, offsetBy: 2)..<index]
      rest = rest[rest.index(after: index)...]
      let quoted = command.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      return "exec:/bin/sh -c \"\(quoted)\""
    }

    /// Reads the quoted name of a feed, if any.
    mutating func name() -> String? {
      skip()
      guard rest.first == "\"" else { return nil }
      let inner = rest.dropFirst()
      let end = inner.firstIndex(of: "\"") ?? inner.endIndex
      rest = end < inner.endIndex ? inner[inner.index(after: end)...] : ""
      return String(inner[..<end])
    }

    /// Parses `< reload-period 30; item-limit 100`, or the older `[30] {100}`.
    mutating func options(over shared: FeedOptions) -> FeedOptions {
      var options = FeedOptions()
      skip()
      if rest.first == "<" {
        for setting in rest.dropFirst().split(separator: ";") {
          let words = setting.split(
            maxSplits: 1, omittingEmptySubsequences: true, whereSeparator: { $0 == " " })
          guard let name = words.first else { continue }
          let value = (words.count > 1 ? words[1] : "").drop { $0 == " " }
          set(String(name), String(value).unquoted, &options)
        }
      } else {
        while let open = rest.first, open == "[" || open == "{" {
          let end = rest.firstIndex(of: open == "[" ? "]" : "}") ?? rest.endIndex
          let value = rest[rest.index(after: rest.startIndex)..<end]
          set(open == "[" ? "reload-period" : "item-limit", String(value), &options)
          rest = end < rest.endIndex ? rest[rest.index(after: end)...] : ""
          skip()
        }
      }
      return options.over(shared)
    }

    private mutating func set(_ name: String, _ value: String, _ options: inout FeedOptions) {
      switch name {
      case "reload-period":
        // The value 0 means manual refresh, a paused feed in Weir. Other values are minutes.
        guard let minutes = Int(value), minutes > 0 else {
          return problems.append(
            "Line \(number): \(name) \(value) has no counterpart; P in the reader pauses the feed.")
        }
        let range = FeedOptions.intervals
        options.set(
          .interval, to: String(min(max(minutes, range.lowerBound), range.upperBound)))
      case "item-limit": options.set(.keepArticles, to: value)
      case "proxy": set(.proxy, value, name, &options)
      case "user-agent": set(.userAgent, value, name, &options)
      default: problems.append("Line \(number): \(name) has no counterpart.")
      }
    }

    private mutating func set(
      _ option: FeedOption, _ value: String, _ name: String, _ options: inout FeedOptions
    ) {
      if !options.set(option, to: value) {
        problems.append("Line \(number): \(name) cannot be \u{201C}\(value)\u{201D}.")
      }
    }
  }
}

extension String {
  fileprivate var unquoted: String {
    guard count > 1, let first, first == last, first == "\"" || first == "'" else { return self }
    return String(dropFirst().dropLast())
  }
}
