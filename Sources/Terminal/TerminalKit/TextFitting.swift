/// The alignment of a text in its space.
public enum TextAlignment: Sendable { case left, right, centre }

/// The place where long text is shortened.
public enum Truncation: Sendable {
  /// Shortens to `A long head…`.
  case end
  /// Shortens to `https://examp…/last/part`, for addresses.
  case middle
}

extension String {
  /// Returns the text in at most this many columns, with `…` for the omitted part, without padding.
  public func fitted(to columns: Int, truncation: Truncation = .end) -> String {
    if columns <= 0 { return "" }
    // A cluster is seldom wider than its UTF-8 bytes, so short texts need no measuring.
    if utf8.count <= columns || GraphemeWidth.width(of: self) <= columns { return self }
    if columns == 1 { return "…" }
    switch truncation {
    case .end:
      return head(of: columns - 1) + "…"
    case .middle:
      let tail = tail(of: (columns - 1) / 2)
      return head(of: columns - 1 - GraphemeWidth.width(of: tail)) + "…" + tail
    }
  }

  /// The number of leading printable ASCII bytes, each a cluster.
  var leadingASCII: Int {
    utf8.withContiguousStorageIfAvailable { bytes in
      var count = 0
      while count < bytes.count, bytes[count] >= 0x20, bytes[count] < 0x7F { count += 1 }
      // A mark may follow the last ASCII character.
      return count < bytes.count && bytes[count] >= 0x80 ? max(0, count - 1) : count
    } ?? 0
  }

  private func head(of columns: Int) -> String {
    var used = min(leadingASCII, columns)
    var end = utf8.index(startIndex, offsetBy: used)
    while end < endIndex {
      let width = GraphemeWidth.width(of: self[end])
      if used + width > columns { break }
      used += width
      formIndex(after: &end)
    }
    return String(self[..<end])
  }

  private func tail(of columns: Int) -> String {
    var used = 0
    var start = endIndex
    while start > startIndex {
      let before = index(before: start)
      let width = GraphemeWidth.width(of: self[before])
      if used + width > columns { break }
      used += width
      start = before
    }
    return String(self[start...])
  }
}

extension Surface {
  /// Writes aligned text into `width` columns, shortened if too long. Does not pad.
  /// - Returns: the columns used.
  @discardableResult
  public mutating func write(
    _ text: String, x: Int, y: Int, width: Int, alignment: TextAlignment,
    truncation: Truncation = .end, style: Style = .plain, link: String? = nil
  ) -> Int {
    let fitted = text.fitted(to: width, truncation: truncation)
    if alignment == .left {
      return write(fitted, x: x, y: y, style: style, link: link, maxWidth: width)
    }
    let spare = max(0, width - GraphemeWidth.width(of: fitted))
    let indent =
      switch alignment {
      case .left: 0
      case .right: spare
      case .centre: spare / 2
      }
    return write(fitted, x: x + indent, y: y, style: style, link: link, maxWidth: width - indent)
  }
}
