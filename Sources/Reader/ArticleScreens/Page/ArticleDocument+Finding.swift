import ArticleText
import TerminalViews

/// A search within an article: a text, or a regular expression between slashes.
nonisolated enum Needle: Sendable, Equatable {
  case text(String)
  case pattern(Pattern)
  /// An invalid regular expression.
  case none

  init(_ typed: String) {
    guard let source = Pattern.source(of: typed) else {
      self = .text(typed)
      return
    }
    self = (try? Pattern(source)).map(Needle.pattern) ?? .none
  }
}

/// The text of an article for searches, without case, line breaks and styles.
nonisolated struct FindableText: Sendable {
  struct Findings: Sendable {
    /// The lines on which the matches begin.
    var lines: [Int] = []
    /// True if the text has more matches than the limit.
    var isPartial = false
    /// The ranges of matching characters in each line, by the number of the line.
    var marks: [Int: [Range<Int>]] = [:]
  }

  /// UTF-8 in lower case; a line feed between texts, one space between words.
  private var text: [UInt8] = [UInt8(ascii: "\n")]
  /// The beginning of each line in `text`.
  private var starts: [Int] = []

  private static let mostFindings = 10_000

  init(_ document: ArticleDocument) {
    for (number, line) in document.lines.enumerated() {
      switch line.joint {
      case .begins: text.append(UInt8(ascii: "\n"))
      case .space: append(" ")
      case .nothing: break
      case .hyphen: if text.last == UInt8(ascii: "-") { text.removeLast() }
      }
      starts.append(text.count)
      for run in line.runs[document.text(on: number)] {
        for character in run.text { append(character) }
      }
    }
  }

  private init(pattern: String) {
    for character in pattern { append(character) }
    text.removeFirst()
  }

  private mutating func append(_ character: Character) {
    if let form = Self.form(of: character, behind: text.last) { text += form.utf8 }
  }

  /// Returns a character in the form of `text`. Returns `nil` for a space after another one.
  private static func form(of character: Character, behind last: UInt8?) -> String? {
    guard character.isWhitespace else { return character.lowercased() }
    return last == UInt8(ascii: " ") || last == UInt8(ascii: "\n") ? nil : " "
  }

  /// Returns the ranges of all matches, which do not overlap; empty for an empty text.
  /// - Parameter document: The document of this text.
  func find(_ needle: Needle, in document: ArticleDocument) -> Findings {
    switch needle {
    case .text(let text): find(FindableText(pattern: text).text, in: document)
    case .pattern(let pattern): find(pattern, in: document)
    case .none: Findings()
    }
  }

  private func find(_ pattern: [UInt8], in document: ArticleDocument) -> Findings {
    var search = Search(of: self, in: document)
    guard let first = pattern.first else { return search.findings }
    var index = 0
    while index + pattern.count <= text.count, !search.isFull {
      let found = index..<index + pattern.count
      guard text[index] == first, text[found].elementsEqual(pattern) else {
        index += 1
        continue
      }
      // A match that begins or ends within a character is ignored.
      index = search.add(found) ? found.upperBound : index + 1
    }
    return search.findings
  }

  private func find(_ pattern: Pattern, in document: ArticleDocument) -> Findings {
    var search = Search(of: self, in: document)
    for found in pattern.ranges(in: text, atMost: Self.mostFindings + 1) where !search.isFull {
      _ = search.add(found)
    }
    return search.findings
  }

  private struct Search {
    let text: FindableText
    let document: ArticleDocument
    private(set) var findings = Findings()
    private var line = 0
    private var count = 0

    init(of text: FindableText, in document: ArticleDocument) {
      (self.text, self.document) = (text, document)
    }

    var isFull: Bool { findings.isPartial }

    /// Adds a match; returns `false` at the limit, or if the bytes are not whole characters.
    mutating func add(_ found: Range<Int>) -> Bool {
      guard count < FindableText.mostFindings else {
        findings.isPartial = true
        return false
      }
      while line + 1 < text.starts.count, text.starts[line + 1] <= found.lowerBound { line += 1 }
      let marks = text.marks(of: found, from: line, in: document)
      guard let first = marks.first else { return false }
      count += 1
      for (line, characters) in marks {
        findings.marks[line, default: []].append(characters)
      }
      if findings.lines.last != first.line { findings.lines.append(first.line) }
      return true
    }
  }

  /// Returns the characters of a range of bytes; empty if they are not whole.
  private func marks(
    of found: Range<Int>, from line: Int, in document: ArticleDocument
  ) -> [(line: Int, characters: Range<Int>)] {
    var marks: [(line: Int, characters: Range<Int>)] = []
    for line in line..<starts.count where starts[line] < found.upperBound {
      let end = line + 1 < starts.count ? starts[line + 1] : text.count
      var place = starts[line]
      var offset = 0
      var characters: Range<Int>?
      for (number, run) in document.lines[line].runs.enumerated() {
        for character in run.text {
          defer { offset += 1 }
          // A hyphen that the layout inserted is not part of the text.
          guard document.text(on: line).contains(number), place < end,
            let form = Self.form(of: character, behind: text[place - 1])
          else { continue }
          let bytes = place..<place + form.utf8.count
          place = bytes.upperBound
          guard bytes.overlaps(found) else { continue }
          guard bytes.clamped(to: found) == bytes else { return [] }
          characters = (characters?.lowerBound ?? offset)..<offset + 1
        }
      }
      if let characters { marks.append((line, characters)) }
    }
    return marks
  }
}

nonisolated extension ArticleDocument {
  /// Returns the runs of a line that are text instead of margin. A list marker counts as text.
  fileprivate func text(on line: Int) -> Range<Int> {
    let line = lines[line]
    let begin = line.joint == .begins ? 0 : line.marginRuns
    return begin..<max(begin, line.runs.count - line.marginRunsAtEnd)
  }

  /// Returns the runs of a line, divided at the edges of matches.
  /// - Parameter highlights: Other marked characters, each with a role.
  func runs(
    _ line: Int, marking findings: FindableText.Findings,
    highlights: [ArticleHighlights.Mark] = []
  ) -> [Run] {
    var runs = lines[line].runs
    for highlight in highlights {
      if let marks = highlight.findings.marks[line] {
        runs = Self.runs(runs, marking: marks, as: highlight.role)
      }
    }
    guard let marks = findings.marks[line] else { return runs }
    return Self.runs(runs, marking: marks, as: .found)
  }

  private static func runs(_ runs: [Run], marking marks: [Range<Int>], as role: Role) -> [Run] {
    var pieces: [Run] = []
    var start = 0
    for run in runs {
      let characters = Array(run.text)
      let whole = 0..<characters.count
      var done = 0
      for mark in marks {
        let found = (mark.lowerBound - start..<mark.upperBound - start).clamped(to: whole)
        guard !found.isEmpty else { continue }
        pieces.append(run.with(characters[done..<found.lowerBound]))
        pieces.append(run.with(characters[found], role: role))
        done = found.upperBound
      }
      pieces.append(run.with(characters[done...]))
      start += characters.count
    }
    return pieces.filter { !$0.text.isEmpty }
  }
}

nonisolated extension ArticleDocument.Run {
  /// Returns a part of the run, with an additional role.
  fileprivate func with(_ characters: ArraySlice<Character>, role: Role? = nil) -> Self {
    Self(text: String(characters), roles: roles + (role.map { [$0] } ?? []), link: link)
  }
}
