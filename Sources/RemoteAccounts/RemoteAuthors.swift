import Foundation

/// Authors in one text, as aggregators join them.
enum RemoteAuthors {
  /// The text with each author once, if any. Many feeds name an author in two elements, and
  /// FreshRSS gives both.
  static func once(_ text: String) -> String? {
    let isList = text.contains(";")
    let names = text.split(separator: isList ? ";" : ",")
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    guard !names.isEmpty else { return nil }
    guard isList else {
      // Commas may be parts of names: only a list that comes twice is one.
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
