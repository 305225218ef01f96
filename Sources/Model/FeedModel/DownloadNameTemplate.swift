/// A pattern for names of saved files: "{feed}/{date} {title}.{ext}". Values come from feeds and
/// never add a folder or a hidden name.
public struct DownloadNameTemplate: Sendable, Equatable {
  /// A word in braces; raw values are what the user writes.
  public enum Placeholder: String, CaseIterable, Sendable {
    case feed, title, author
    /// The date as "2026-11-22".
    case date
    /// The last part of the file's address, without its extension.
    case name
    case ext
  }

  /// The values of the placeholders.
  public struct Values: Sendable, Equatable {
    public var feed: String
    public var title: String
    /// The author; empty if unknown.
    public var author: String
    /// The date, formatted for the name.
    public var date: String
    public var url: String
    /// The media type from the feed; empty if it gives none.
    public var mimeType: String

    public init(
      feed: String, title: String, author: String, date: String, url: String, mimeType: String
    ) {
      self.feed = feed
      self.title = title
      self.author = author
      self.date = date
      self.url = url
      self.mimeType = mimeType
    }
  }

  private enum Piece: Sendable, Equatable {
    case text(String)
    case value(Placeholder)
  }

  /// Maximum number of parts of a path within the download folder.
  private static let mostParts = 5

  public let text: String
  private let parts: [[Piece]]

  /// Returns `nil` if a placeholder is unknown, a brace is not closed, or a part of the path is
  /// empty, begins with a dot, or has no letter, digit or placeholder.
  public init?(_ text: String) {
    self.text = text
    var parts: [[Piece]] = []
    for part in text.split(separator: "/", omittingEmptySubsequences: false) {
      guard let pieces = Self.pieces(part) else { return nil }
      parts.append(pieces)
    }
    guard parts.count <= Self.mostParts else { return nil }
    self.parts = parts
  }

  private static func pieces(_ part: Substring) -> [Piece]? {
    guard part.first != ".", part.contains(where: { $0.isLetter || $0.isNumber }),
      !part.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
    else { return nil }
    var pieces: [Piece] = []
    var rest = part
    while let open = rest.firstIndex(of: "{") {
      guard !rest[..<open].contains("}"), let close = rest[open...].firstIndex(of: "}"),
        let value = Placeholder(rawValue: String(rest[rest.index(after: open)..<close]))
      else { return nil }
      if open > rest.startIndex { pieces.append(.text(String(rest[..<open]))) }
      pieces.append(.value(value))
      rest = rest[rest.index(after: close)...]
    }
    guard !rest.contains("}") else { return nil }
    if !rest.isEmpty { pieces.append(.text(String(rest))) }
    return pieces
  }

  /// Returns the folders below the download folder, then the file's name. Never empty; each part is
  /// as safe as `Download.fileName`.
  public func path(_ values: Values) -> [String] {
    let whole = Download.fileName(of: values.url)
    let (name, ext) = Self.split(whole, mimeType: values.mimeType)
    return parts.enumerated().map { index, pieces in
      let text = pieces.map { piece in
        switch piece {
        case .text(let text): text
        case .value(.feed): values.feed
        case .value(.title): Download.safeName(values.title) ?? name
        case .value(.author): values.author
        case .value(.date): values.date
        case .value(.name): name
        case .value(.ext): ext
        }
      }.joined()
      return Download.safeName(text) ?? (index == parts.count - 1 ? whole : "untitled")
    }
  }

  private static let endings = [
    "audio/mpeg": "mp3", "audio/mp3": "mp3", "audio/mp4": "m4a", "audio/x-m4a": "m4a",
    "audio/aac": "aac", "audio/ogg": "ogg", "audio/opus": "opus", "audio/flac": "flac",
    "audio/wav": "wav", "video/mp4": "mp4", "video/x-m4v": "m4v", "video/webm": "webm",
    "video/quicktime": "mov", "application/pdf": "pdf", "application/epub+zip": "epub",
  ]
  private static let longestEnding = 8

  /// Splits a name from its extension, which defaults to the extension of the media type.
  private static func split(_ whole: String, mimeType: String) -> (name: String, ext: String) {
    if let dot = whole.lastIndex(of: "."), dot > whole.startIndex {
      let ext = whole[whole.index(after: dot)...]
      let isPlain = ext.utf8.allSatisfy { (0x30...0x39).contains($0) || isLetter($0) }
      if isPlain, (1...longestEnding).contains(ext.utf8.count), ext.utf8.contains(where: isLetter) {
        return (String(whole[..<dot]), String(ext))
      }
    }
    let type = mimeType.prefix { $0 != ";" && $0 != " " }.lowercased()
    return (whole, endings[type] ?? "")
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}
