import Foundation

/// Restores titles of FreshRSS, which replaces characters of HTML and of list keys with full-width
/// forms (`escapeToUnicodeAlternative`).
enum FreshRSSText {
  private static let symbols: Set<Unicode.Scalar> = ["＆", "＜", "＞", "／", "＼"]
  /// Replaced in names of feeds and folders only; ordinary punctuation in Chinese and Japanese.
  private static let punctuation: Set<Unicode.Scalar> = ["？", "，", "；"]

  /// Restores the original characters of a server's text, as the publisher or the user wrote them.
  static func title(_ text: String, at baseURL: String) -> String {
    let isEscaped = ["/greader.php", "/fever.php"].contains { baseURL.hasSuffix($0) }
    return isEscaped ? unescaped(text) : text
  }

  /// Restores the original characters. Full-width ones next to Chinese, Japanese or Korean stay,
  /// because they may be the publisher's.
  static func unescaped(_ text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    guard scalars.contains(where: { symbols.contains($0) || punctuation.contains($0) }),
      // FreshRSS replaces all of these, so a text with one is not escaped.
      !scalars.contains(where: { "&<>".unicodeScalars.contains($0) })
    else { return text }
    let hasWide = scalars.contains(where: isWide)
    var out = String.UnicodeScalarView()
    for (place, scalar) in scalars.enumerated() {
      let isEscaped =
        symbols.contains(scalar)
        ? !isBesideWide(scalars, place) : punctuation.contains(scalar) && !hasWide
      // The full-width forms have the order of ASCII (Unicode, FF01 to FF5E).
      out.append(isEscaped ? Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar : scalar)
    }
    return String(out)
  }

  private static func isBesideWide(_ scalars: [Unicode.Scalar], _ place: Int) -> Bool {
    func isLetter(_ scalar: Unicode.Scalar) -> Bool {
      scalar != " " && !symbols.contains(scalar) && !punctuation.contains(scalar)
    }
    let before = scalars[..<place].last(where: isLetter)
    let after = scalars[(place + 1)...].first(where: isLetter)
    return [before, after].contains { $0.map(isWide) ?? false }
  }

  /// Returns true for a character of a two-column script, or a full-width form that FreshRSS does
  /// not produce.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    guard !symbols.contains(scalar), !punctuation.contains(scalar) else { return false }
    switch scalar.value {
    case 0x1100...0x11FF, 0x2E80...0xA4CF, 0xAC00...0xD7FF, 0xF900...0xFAFF, 0xFE30...0xFE4F,
      0xFF00...0xFFEF, 0x20000...0x3FFFF:
      return true
    default: return false
    }
  }
}

/// Removes repeated authors from a text in which an aggregator joins them.
enum RemoteAuthors {
  /// Returns the text with each author once; `nil` if there are none. Many feeds name an author in
  /// two elements, and FreshRSS returns both.
  static func once(_ text: String) -> String? {
    let isList = text.contains(";")
    let names = text.split(separator: isList ? ";" : ",")
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    guard !names.isEmpty else { return nil }
    guard isList else {
      // Commas may be parts of names, so only a list that is repeated as a whole is split.
      let (first, second) = (names.prefix(names.count / 2), names.suffix(names.count / 2))
      let isTwice =
        names.count.isMultiple(of: 2)
        && first.map { $0.lowercased() } == second.map { $0.lowercased() }
      return isTwice ? first.joined(separator: ", ") : text
    }
    var seen: Set<String> = []
    return names.filter { seen.insert($0.lowercased()).inserted }.joined(separator: "; ")
  }
}
