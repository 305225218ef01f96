/// Compares titles that servers return.
import ArticleStore

enum RemoteTitle {
  /// FreshRSS returns full-width forms of characters that have a meaning in HTML; such a title
  /// equals the one that was sent.
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
  /// `outbox.key`.
  var key: String {
    switch self {
    case .read: "read"
    case .starred: "starred"
    }
  }
}
