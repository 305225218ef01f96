public import Foundation

/// A file that an article brings, asked for by the user: a durable row.
public struct Download: Sendable, Equatable, Identifiable {
  /// How far the file is.
  public enum State: Sendable, Equatable {
    /// Asked for; fetched as soon as the network allows.
    case waiting
    /// The user has paused it: what has come of it stays.
    case paused
    /// Where it was saved, as an absolute path.
    case saved(path: String)
    /// Not fetched, for this reason; the user may ask again.
    case failed(RefreshFailure)
  }
  /// The key of its row in the cache.
  public var id: Int64
  public var article: ArticleID
  public var url: String
  public var state: State
  /// Bytes that have come so far.
  public var received: Int64
  /// Bytes of the whole; nil: the server did not say.
  public var size: Int64?
  public var savedAt: Date?
  /// It starts whatever the configured hours and amounts say: the user asked for that.
  public var ignoresLimits: Bool

  public init(
    id: Int64, article: ArticleID, url: String, state: State, received: Int64 = 0,
    size: Int64? = nil, savedAt: Date? = nil, ignoresLimits: Bool = false
  ) {
    self.id = id
    self.article = article
    self.url = url
    self.state = state
    self.received = received
    self.size = size
    self.savedAt = savedAt
    self.ignoresLimits = ignoresLimits
  }
}

/// A download as lists show it.
public struct DownloadEntry: Sendable, Equatable, Identifiable {
  public var download: Download
  public var title: String
  public var feedName: String
  /// How far the file was played; nil: it was not.
  public var playback: Playback?

  public var id: Int64 { download.id }

  public init(download: Download, title: String, feedName: String, playback: Playback? = nil) {
    self.download = download
    self.title = title
    self.feedName = feedName
    self.playback = playback
  }
}

/// Why the engine starts none of the downloads that wait: a limit that the user configured.
public struct DownloadHold: Sendable, Equatable {
  /// Raw values are stored.
  public enum Reason: String, Sendable, CaseIterable {
    /// It is not one of the hours for downloads.
    case hours
    /// As many bytes as may be were received today, or this month.
    case day, month
  }
  public var reason: Reason
  public var until: Date

  public init(_ reason: Reason, until: Date) {
    self.reason = reason
    self.until = until
  }
}

extension Download {
  /// Bytes that a file's name may have; most file systems take 255, and a number may be added.
  private static let longestName = 180
  /// Bytes of an extension that a shortened name keeps, with its dot.
  private static let longestExtension = 12

  /// The name that a file from an address is saved under. It never holds a separator, a control or
  /// formatting character, and begins with a letter or a digit: no path, no option, no hidden file.
  public static func fileName(of url: String) -> String {
    let segment = WebAddress(url).path.split(separator: "/").last.map(String.init) ?? ""
    return safeName(segment.removingPercentEncoding ?? segment) ?? "enclosure"
  }

  /// A text as the name of one file or folder; nil if nothing of it is left.
  static func safeName(_ text: String) -> String? {
    var name = ""
    for scalar in text.unicodeScalars {
      name.unicodeScalars.append(isAllowed(scalar) ? scalar : "_")
    }
    name = String(name.drop { !$0.isLetter && !$0.isNumber })
    while let last = name.last, last == "." || last == " " { name.removeLast() }
    return name.isEmpty ? nil : shortened(name)
  }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    guard !scalar.properties.isDefaultIgnorableCodePoint else { return false }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .decimalNumber, .letterNumber, .otherNumber:
      return true
    default: return " -_.,+()".unicodeScalars.contains(scalar)
    }
  }

  private static func shortened(_ name: String) -> String {
    guard name.utf8.count > longestName else { return name }
    let dot = name.lastIndex(of: ".") ?? name.endIndex
    let ending = name[dot...].utf8.count <= longestExtension ? String(name[dot...]) : ""
    var stem = ""
    for scalar in name.unicodeScalars {
      guard stem.utf8.count + scalar.utf8.count + ending.utf8.count <= longestName else { break }
      stem.unicodeScalars.append(scalar)
    }
    return stem + ending
  }
}
