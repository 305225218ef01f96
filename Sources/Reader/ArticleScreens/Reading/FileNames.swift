/// Names of files that the reader proposes.
enum FileNames {
  /// Returns the letters and digits of a title, with hyphens between the words.
  /// - Parameter fallback: the name if the title has neither.
  static func proposed(for title: String, or fallback: String) -> String {
    let letters = title.prefix(60).map { $0.isLetter || $0.isNumber ? $0 : "-" }
    let name = String(letters).split(separator: "-").joined(separator: "-")
    return name.isEmpty ? fallback : name
  }
}
