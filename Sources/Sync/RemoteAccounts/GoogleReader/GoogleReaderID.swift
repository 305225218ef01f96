/// The keys of articles. The key of an article is a decimal number in lists of ids, and
/// `tag:google.com,2005:reader/item/` with sixteen hexadecimal digits in contents. Some servers
/// omit leading zeros or the prefix; The Old Reader has different keys in both places.
enum GoogleReaderID {
  private static let prefix = "tag:google.com,2005:reader/item/"

  /// Returns the canonical form: signed decimal for a 64-bit number, otherwise without the prefix.
  static func canonical(_ text: String) -> String {
    let isLong = text.hasPrefix(prefix)
    let short = isLong ? String(text.dropFirst(prefix.count)) : text
    // Sixteen digits may be decimal unless they begin with a zero.
    let isHexadecimal =
      isLong || short.utf8.count == 16 && (short.hasPrefix("0") || Int64(short) == nil)
    guard let bits = UInt64(short, radix: isHexadecimal ? 16 : 10) else { return short }
    return String(Int64(bitPattern: bits))
  }

  /// Returns the long form, which every server accepts.
  static func long(_ id: String) -> String {
    guard let number = Int64(id) else { return prefix + id }
    let digits = String(UInt64(bitPattern: number), radix: 16)
    return prefix + String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// The keys of lists and labels, `user/-/…`.
enum GoogleReaderStream {
  static let readingList = "user/-/state/com.google/reading-list"
  static let read = "user/-/state/com.google/read"
  static let starred = "user/-/state/com.google/starred"
  static let keptUnread = "user/-/state/com.google/kept-unread"
  static let trackingKeptUnread = "user/-/state/com.google/tracking-kept-unread"

  static func state(_ state: RemoteState) -> String {
    switch state {
    case .read: read
    case .starred: starred
    case .label(let name): label(name)
    }
  }

  static func label(_ name: String) -> String { "user/-/label/" + name }

  /// Replaces the user's number: `user/1005921515/…` becomes `user/-/…`.
  static func normalised(_ stream: String) -> String {
    let parts = stream.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "user" else { return stream }
    return "user/-/" + parts[2]
  }

  /// Returns the name of a label; `nil` for other streams.
  static func labelName(_ stream: String) -> String? {
    let stream = normalised(stream)
    let prefix = "user/-/label/"
    return stream.hasPrefix(prefix) ? String(stream.dropFirst(prefix.count)) : nil
  }
}
