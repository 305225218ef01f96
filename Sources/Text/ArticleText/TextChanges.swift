import HTMLContent

/// The differences between two texts of an article, by word.
package struct TextChanges: Sendable, Equatable {
  package enum Kind: Sendable, Equatable { case same, added, removed }

  package struct Run: Sendable, Equatable {
    package var kind: Kind
    /// The words, separated by single spaces.
    package var text: String
    package init(_ kind: Kind, _ text: String) { (self.kind, self.text) = (kind, text) }
  }

  /// The runs in reading order; old words precede their replacement.
  package private(set) var runs: [Run] = []
  package private(set) var wordsAdded = 0
  package private(set) var wordsRemoved = 0

  /// Longest passage in words; longer ones are replaced as a whole: the time of a comparison grows
  /// with length × differences (Myers, "An O(ND) Difference Algorithm", 1986).
  private static let longest = 2_000

  /// - Parameters: sanitised HTML.
  package init(fromHTML old: String, toHTML new: String) {
    self.init(from: HTMLContent.plainText(old), to: HTMLContent.plainText(new))
  }

  package init(from old: String, to new: String) {
    let before = old.split(whereSeparator: \.isWhitespace)
    let after = new.split(whereSeparator: \.isWhitespace)
    let head = zip(before, after).prefix { $0 == $1 }.count
    let tail = zip(before.dropFirst(head).reversed(), after.dropFirst(head).reversed())
      .prefix { $0 == $1 }.count
    add(.same, before.prefix(head))
    compare(
      before[head..<(before.count - tail)], after[head..<(after.count - tail)])
    add(.same, before.suffix(tail))
  }

  private mutating func compare(
    _ before: ArraySlice<Substring>, _ after: ArraySlice<Substring>
  ) {
    guard min(before.count, after.count) <= Self.longest,
      max(before.count, after.count) <= Self.longest * 4
    else {
      add(.removed, before)
      add(.added, after)
      return
    }
    var removed: Set<Int> = []
    var added: Set<Int> = []
    for change in Array(after).difference(from: Array(before)) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): added.insert(offset)
      }
    }
    let (old, new) = (Array(before), Array(after))
    var (i, j) = (0, 0)
    while i < old.count || j < new.count {
      if removed.contains(i) {
        add(.removed, [old[i]])
        i += 1
      } else if added.contains(j) {
        add(.added, [new[j]])
        j += 1
      } else {
        guard i < old.count else { break }
        add(.same, [old[i]])
        i += 1
        j += 1
      }
    }
  }

  private mutating func add(_ kind: Kind, _ words: some Collection<Substring>) {
    guard !words.isEmpty else { return }
    switch kind {
    case .same: break
    case .added: wordsAdded += words.count
    case .removed: wordsRemoved += words.count
    }
    let text = words.joined(separator: " ")
    if let last = runs.indices.last, runs[last].kind == kind {
      runs[last].text += " " + text
    } else {
      runs.append(Run(kind, text))
    }
  }
}
