import Foundation

/// A file that an article brings, asked for by the user: a durable row.
public struct Download: Sendable, Equatable, Identifiable {
  /// How far the file is.
  public enum State: Sendable, Equatable {
    /// Asked for; fetched as soon as the line allows.
    case waiting
    /// Where it was saved, as an absolute path.
    case saved(path: String)
    case failed(RefreshFailure)
  }
  /// The key of its row in the cache.
  public var id: Int64
  /// The article that announces the file.
  public var article: ArticleID
  /// The file's address, as the feed gives it.
  public var url: String
  /// Set by the engine.
  public var state: State
  /// Bytes that have come so far.
  public var received: Int64
  /// Bytes of the whole; nil: the server did not say.
  public var size: Int64?

  /// Nothing has come yet, unless something else is given.
  public init(
    id: Int64, article: ArticleID, url: String, state: State, received: Int64 = 0,
    size: Int64? = nil
  ) {
    self.id = id
    self.article = article
    self.url = url
    self.state = state
    self.received = received
    self.size = size
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
    let decoded = segment.removingPercentEncoding ?? segment
    var name = ""
    for scalar in decoded.unicodeScalars {
      name.unicodeScalars.append(isAllowed(scalar) ? scalar : "_")
    }
    name = String(name.drop { !$0.isLetter && !$0.isNumber })
    while let last = name.last, last == "." || last == " " { name.removeLast() }
    return name.isEmpty ? "enclosure" : shortened(name)
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
