extension String {
  /// The text without white space at its ends.
  package nonisolated var trimmingWhitespace: String {
    var part = self[...]
    while let first = part.first, first.isWhitespace { part.removeFirst() }
    while let last = part.last, last.isWhitespace { part.removeLast() }
    return String(part)
  }
}
