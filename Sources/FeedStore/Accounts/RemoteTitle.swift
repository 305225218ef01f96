/// Titles as servers give them back.
enum RemoteTitle {
  /// FreshRSS gives full-width forms of what means something in HTML: a title that comes back so is
  /// the one that was sent.
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

extension StatusRows.State {
  /// The outbox's word for it.
  var key: String {
    switch self {
    case .read: "read"
    case .starred: "starred"
    }
  }
}
