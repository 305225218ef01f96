import ArticleText

/// The text of an article to look something up in, without regard to case: whatever its lines and
/// styles, one letter follows another as they are read.
nonisolated struct FindableText: Sendable {
  /// What was found.
  struct Findings: Sendable {
    /// The lines that it begins on.
    var lines: [Int] = []
    /// There are more; those that come first are here.
    var isPartial = false
    /// By line: the characters that belong to it, counted from the line's beginning.
    var marks: [Int: [Range<Int>]] = [:]
  }

  /// UTF-8 in lower case; a line feed between texts, one space between words.
  private var text: [UInt8] = [UInt8(ascii: "\n")]
  /// Where each line begins in it.
  private var starts: [Int] = []

  /// Matches beyond this number are not searched for.
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
      for run in line.runs.dropFirst(document.textBegins(on: number)) {
        for character in run.text { append(character) }
      }
    }
  }

  /// A text that is looked for.
  private init(pattern: String) {
    for character in pattern { append(character) }
    text.removeFirst()
  }

  private mutating func append(_ character: Character) {
    if let form = Self.form(of: character, behind: text.last) { text += form.utf8 }
  }

  /// As it stands in the text; nil: not at all, for spaces may be many, to fill the line.
  private static func form(of character: Character, behind last: UInt8?) -> String? {
    guard character.isWhitespace else { return character.lowercased() }
    return last == UInt8(ascii: " ") || last == UInt8(ascii: "\n") ? nil : " "
  }

  /// The places of a text, which do not overlap; none of an empty one.
  /// - Parameter document: what it was made of.
  func find(_ pattern: String, in document: ArticleDocument) -> Findings {
    let pattern = FindableText(pattern: pattern).text
    var findings = Findings()
    guard let first = pattern.first else { return findings }
    var index = 0
    var line = 0
    var count = 0
    while index + pattern.count <= text.count {
      guard count < Self.mostFindings else {
        findings.isPartial = true
        break
      }
      let found = index..<index + pattern.count
      guard text[index] == first, text[found].elementsEqual(pattern) else {
        index += 1
        continue
      }
      while line + 1 < starts.count, starts[line + 1] <= index { line += 1 }
      let marks = marks(of: found, from: line, in: document)
      // What begins or ends within a character is none.
      index = marks.isEmpty ? index + 1 : found.upperBound
      if !marks.isEmpty { count += 1 }
      for (line, characters) in marks {
        findings.marks[line, default: []].append(characters)
      }
      if let line = marks.first?.line, findings.lines.last != line { findings.lines.append(line) }
    }
    return findings
  }

  /// The characters that bytes of the text stand for; none where they are not whole.
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
          // A hyphen that the layout put there stands for nothing.
          guard number >= document.textBegins(on: line), place < end,
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
  /// The first run of a line that is text and no margin.
  fileprivate func textBegins(on line: Int) -> Int {
    lines[line].joint == .begins ? 0 : lines[line].marginRuns
  }

  /// The runs of a line, divided where what was found in it begins and ends.
  func runs(_ line: Int, marking findings: FindableText.Findings) -> [Run] {
    guard let marks = findings.marks[line] else { return lines[line].runs }
    var pieces: [Run] = []
    var start = 0
    for run in lines[line].runs {
      let characters = Array(run.text)
      let whole = 0..<characters.count
      var done = 0
      for mark in marks {
        let found = (mark.lowerBound - start..<mark.upperBound - start).clamped(to: whole)
        guard !found.isEmpty else { continue }
        pieces.append(run.with(characters[done..<found.lowerBound]))
        pieces.append(run.with(characters[found], role: .found))
        done = found.upperBound
      }
      pieces.append(run.with(characters[done...]))
      start += characters.count
    }
    return pieces.filter { !$0.text.isEmpty }
  }
}

nonisolated extension ArticleDocument.Run {
  /// A part of it, with another role besides its own.
  fileprivate func with(_ characters: ArraySlice<Character>, role: Role? = nil) -> Self {
    Self(text: String(characters), roles: roles + (role.map { [$0] } ?? []), link: link)
  }
}
