import ArticleStore

enum RemoteTitle {
  /// Compares titles that servers return. FreshRSS returns full-width forms of characters that have
  /// a meaning in HTML; such a title equals the one that was sent.
  static func areSame(_ a: String, _ b: String) -> Bool { plain(a) == plain(b) }

  private static func plain(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          "＆＜＞＂＇？＼／，；".unicodeScalars.contains(scalar)
            ? Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar : scalar
        }))
  }
}

extension ArticleMark {
  /// The `outbox.key` of the state.
  var key: String {
    switch self {
    case .read: "read"
    case .starred: "starred"
    }
  }
}
