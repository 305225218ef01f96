import Foundation

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
