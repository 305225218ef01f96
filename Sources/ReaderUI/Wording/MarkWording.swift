/// What marking came to.
nonisolated enum MarkWording {
  /// "12 articles marked read; u undoes it".
  static func marked(_ count: Int, undo: String?) -> String {
    guard count > 0 else { return "Everything here was read already" }
    let articles = AmountWording.count(count, "article", "articles")
    return "\(articles) marked read" + (undo.map { "; \($0) undoes it" } ?? "")
  }
}
