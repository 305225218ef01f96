/// Styled text of one paragraph, cell or line of code: bytes, and where their style changes.
struct InlineText: Sendable, Equatable {
  struct Run: Sendable, Equatable {
    /// Offset after the run's last byte.
    var end: Int
    var style: TextStyle
    var link: LinkTarget?
  }

  /// A place that links can lead to.
  struct Mark: Sendable, Equatable {
    var name: String
    /// Offset of the first byte behind it.
    var offset: Int
  }

  private(set) var bytes: [UInt8] = []
  private(set) var runs: [Run] = []
  /// In the order of their offsets.
  private(set) var marks: [Mark] = []
  /// White space that becomes a space when more text follows, in the style that it was written in.
  private var owedSpace: Run?

  var isEmpty: Bool { bytes.isEmpty }

  var endsLine: Bool { bytes.last == 0x0A }

  /// Of its marks.
  var names: [String] { marks.map(\.name) }

  init() {}

  init(_ text: String, style: TextStyle = []) { append(verbatim: text, style: style, link: nil) }

  /// Text as HTML means it: white space collapses, across elements too.
  mutating func append(_ text: String, style: TextStyle, link: LinkTarget?) {
    var text = text
    text.withUTF8 { utf8 in
      var index = 0
      while index < utf8.count {
        if Self.isSpace(utf8[index]) {
          index += 1
          while index < utf8.count, Self.isSpace(utf8[index]) { index += 1 }
          if !bytes.isEmpty, !endsLine, owedSpace == nil {
            owedSpace = Run(end: 0, style: style, link: link)
          }
          continue
        }
        paySpace()
        let start = index
        while index < utf8.count, !Self.isSpace(utf8[index]) { index += 1 }
        bytes.append(contentsOf: utf8[start..<index])
        // Most spaces are single, between words of one style.
        if index + 1 < utf8.count, utf8[index] == 0x20, !Self.isSpace(utf8[index + 1]) {
          bytes.append(0x20)
          index += 1
        }
        extendRun(style, link)
      }
    }
  }

  /// Text whose white space counts.
  mutating func append(verbatim text: String, style: TextStyle, link: LinkTarget?) {
    guard !text.isEmpty else { return }
    paySpace()
    bytes.append(contentsOf: text.utf8)
    extendRun(style, link)
  }

  mutating func breakLine() {
    owedSpace = nil
    guard !bytes.isEmpty else { return }
    bytes.append(0x0A)
    extendRun(runs.last?.style ?? [], runs.last?.link)
  }

  /// Without breaks at the end.
  mutating func trim() {
    owedSpace = nil
    while let last = bytes.last, last == 0x0A || last == 0x20 { bytes.removeLast() }
    while let run = runs.last, run.end > bytes.count {
      runs.removeLast()
      let start = runs.last?.end ?? 0
      if start < bytes.count {
        runs.append(Run(end: bytes.count, style: run.style, link: run.link))
      }
    }
    var index = marks.count - 1
    while index >= 0, marks[index].offset > bytes.count {
      marks[index].offset = bytes.count
      index -= 1
    }
  }

  /// Its beginning where it has more bytes than that, and an ellipsis.
  func shortened(to limit: Int) -> InlineText {
    guard bytes.count > limit else { return self }
    var end = limit
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    var short = self
    short.bytes.removeSubrange(end...)
    short.trim()
    short.append(verbatim: "…", style: short.runs.last?.style ?? [], link: short.runs.last?.link)
    return short
  }

  /// Names the place where the text goes on.
  mutating func mark(_ names: [String]) {
    marks += names.map { Mark(name: $0, offset: bytes.count) }
  }

  /// Takes away the marks behind the last byte, which are at the beginning of what follows.
  mutating func takeMarksAtEnd() -> [String] {
    guard let first = marks.firstIndex(where: { $0.offset >= bytes.count }) else { return [] }
    defer { marks.removeSubrange(first...) }
    return marks[first...].map(\.name)
  }

  mutating func addStyle(_ style: TextStyle) {
    for index in runs.indices { runs[index].style.formUnion(style) }
  }

  mutating func append(_ other: InlineText) {
    paySpace()
    let offset = bytes.count
    bytes.append(contentsOf: other.bytes)
    for run in other.runs {
      runs.append(Run(end: run.end + offset, style: run.style, link: run.link))
    }
    marks += other.marks.map { Mark(name: $0.name, offset: $0.offset + offset) }
  }

  private mutating func paySpace() {
    guard let space = owedSpace else { return }
    owedSpace = nil
    bytes.append(0x20)
    extendRun(space.style, space.link)
  }

  private mutating func extendRun(_ style: TextStyle, _ link: LinkTarget?) {
    if let last = runs.last, last.style == style, last.link == link {
      runs[runs.count - 1].end = bytes.count
    } else {
      runs.append(Run(end: bytes.count, style: style, link: link))
    }
  }

  /// White space of HTML; no-break spaces are none.
  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D || byte == 0x0C
  }
}
