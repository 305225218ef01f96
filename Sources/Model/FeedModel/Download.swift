public import Foundation

/// A durable request of the user for a file of an article.
public struct Download: Sendable, Equatable, Identifiable {
  /// The progress of the download.
  public enum State: Sendable, Equatable {
    case waiting
    /// Paused by the user; the bytes received so far are kept.
    case paused
    /// The absolute path of the file.
    case saved(path: String)
    case failed(RefreshFailure)
  }
  public var id: Int64
  public var article: ArticleID
  public var url: String
  public var state: State
  public var received: Int64
  /// Size of the whole file in bytes; `nil` if the server did not send it.
  public var size: Int64?
  public var savedAt: Date?
  /// True if the user exempted the download from the configured amounts.
  public var ignoresLimits: Bool

  public init(
    id: Int64, article: ArticleID, url: String, state: State, received: Int64 = 0,
    size: Int64? = nil, savedAt: Date? = nil, ignoresLimits: Bool = false
  ) {
    (self.id, self.article, self.url, self.state) = (id, article, url, state)
    (self.received, self.size, self.savedAt) = (received, size, savedAt)
    self.ignoresLimits = ignoresLimits
  }
}

/// A download as lists show it.
public struct DownloadEntry: Sendable, Equatable, Identifiable {
  public var download: Download
  public var title: String
  public var feedName: String
  public var playback: Playback?

  public var id: Int64 { download.id }

  public init(download: Download, title: String, feedName: String, playback: Playback? = nil) {
    (self.download, self.title, self.feedName) = (download, title, feedName)
    self.playback = playback
  }
}

/// The configured limit that keeps waiting downloads from starting.
public struct DownloadPause: Sendable, Equatable {
  /// The kind of limit. Raw values are stored.
  public enum Reason: String, Sendable, CaseIterable {
    /// The daily or monthly limit of bytes is reached.
    case day, month
  }
  public var reason: Reason
  public var until: Date

  public init(_ reason: Reason, until: Date) { (self.reason, self.until) = (reason, until) }
}

extension Download {
  /// Limit of a file name in bytes. Most file systems allow 255, and a number may be added.
  private static let longestName = 180
  /// Limit of an extension with its dot in a shortened name, in bytes.
  private static let longestExtension = 12

  /// Returns the name under which a file of an address is saved. It contains no separator, control
  /// or formatting character and begins with a letter or a digit, so that it is never a path, an
  /// option or a hidden file.
  public static func fileName(of url: String) -> String {
    let segment = WebAddress(url).path.split(separator: "/").last.map(String.init) ?? ""
    return safeName(segment.removingPercentEncoding ?? segment) ?? "enclosure"
  }

  /// Returns the text as the name of a file or folder; `nil` if nothing of it remains.
  private static func safeName(_ text: String) -> String? {
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

/// The playback position of an article's file.
public struct Playback: Sendable, Equatable {
  /// Seconds from the beginning.
  public var position: Double
  /// Seconds of the whole file; `nil` if unknown.
  public var duration: Double?
  /// True if the file was played to the end; the next playback starts at the beginning.
  public var isFinished: Bool
  public var at: Date

  public init(position: Double, duration: Double? = nil, isFinished: Bool = false, at: Date) {
    (self.position, self.duration, self.isFinished, self.at) = (position, duration, isFinished, at)
  }

  /// Shortest position, in seconds, that is resumed.
  private static let least = 5.0

  /// The position to resume, in seconds; `nil` to start at the beginning.
  public var resumesAt: Double? {
    guard !isFinished, position.isFinite, position >= Self.least else { return nil }
    return position
  }
}
