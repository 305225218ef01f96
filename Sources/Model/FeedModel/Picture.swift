/// Limits for pictures. Larger ones are not fetched, decoded or stored.
public enum PictureLimits {
  public static let bytes = 8 << 20
  /// Limit of all picture files of one article, in bytes.
  public static let article = 64 << 20
  public static let pixels = 40_000_000
  /// Longest side of a tracker in pixels; pictures with both sides up to this length are hidden.
  public static let trackerSide = 8
}

/// The width and height of a picture in pixels.
public struct PictureSize: Sendable, Hashable {
  /// Width and height are greater than 0 for a picture that can be shown.
  public var width: Int
  public var height: Int
  public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }
}

/// The reason that a received picture is not shown; stored as text.
public enum PictureRefusal: String, Error, Sendable, CaseIterable {
  /// The first bytes match no kind of picture.
  case notAPicture
  /// SVG, or a kind that is not decoded (AVIF, HEIC, JPEG XL, TIFF, BMP, ICO).
  case otherKind
  case damaged
  case tooManyPixels
  case tracker
}

/// Facts from the first bytes of a picture, regardless of its name and Content-Type.
public struct PictureHeader: Sendable, Equatable {
  /// Kinds that can be decoded.
  public enum Kind: String, Sendable { case jpeg, png, gif, webp }
  public var kind: Kind
  /// The size after rotation.
  public var size: PictureSize

  /// Reads the header without decoding pixels.
  /// - Throws: if the picture must not be shown.
  public static func read(_ bytes: [UInt8]) throws(PictureRefusal) -> PictureHeader {
    guard let kind = kind(of: bytes) else {
      throw isOfOtherKind(bytes) ? .otherKind : .notAPicture
    }
    let size =
      switch kind {
      case .jpeg: uprightSize(bytes)
      case .png: sizeOfPNG(bytes)
      case .gif: sizeOfGIF(bytes)
      case .webp: sizeOfWebP(bytes)
      }
    guard let size, size.width > 0, size.height > 0 else { throw .damaged }
    guard size.width <= PictureLimits.pixels / size.height else { throw .tooManyPixels }
    if size.width <= PictureLimits.trackerSide, size.height <= PictureLimits.trackerSide {
      throw .tracker
    }
    return PictureHeader(kind: kind, size: size)
  }

  // MARK: Kinds

  private static func kind(of bytes: [UInt8]) -> Kind? {
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
    if bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8) { return .gif }
    if bytes.starts(with: "RIFF".utf8), has("WEBP", in: bytes, at: 8) { return .webp }
    return nil
  }

  /// Number of bytes in which the root of an SVG must appear.
  private static let drawingPrefix = 1_024

  private static func isOfOtherKind(_ bytes: [UInt8]) -> Bool {
    let names = ["BM", "II*\0", "MM\0*", "\0\0\u{1}\0"]
    if names.contains(where: { bytes.starts(with: $0.utf8) }) { return true }
    if bytes.starts(with: [0xFF, 0x0A]) || has("JXL ", in: bytes, at: 4) { return true }
    if has("ftyp", in: bytes, at: 4) {
      return ["avif", "avis", "heic", "heix", "mif1", "msf1"].contains { has($0, in: bytes, at: 8) }
    }
    let text = String(decoding: bytes.prefix(drawingPrefix), as: UTF8.self).lowercased()
    return text.contains("<svg")
  }

  private static func has(_ name: String, in bytes: [UInt8], at place: Int) -> Bool {
    bytes.dropFirst(place).starts(with: name.utf8)
  }

  // MARK: Sizes

  private static func big(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int? {
    guard place >= 0, place + count <= bytes.count else { return nil }
    return bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func little(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int? {
    guard place >= 0, place + count <= bytes.count else { return nil }
    return bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// Reads the size from IHDR, the first chunk (PNG, §11.2.1).
  private static func sizeOfPNG(_ bytes: [UInt8]) -> PictureSize? {
    guard has("IHDR", in: bytes, at: 12), let width = big(bytes, 16, 4),
      let height = big(bytes, 20, 4), width < 1 << 31, height < 1 << 31
    else { return nil }
    return PictureSize(width: width, height: height)
  }

  private static func sizeOfGIF(_ bytes: [UInt8]) -> PictureSize? {
    guard let width = little(bytes, 6, 2), let height = little(bytes, 8, 2) else { return nil }
    return PictureSize(width: width, height: height)
  }

  /// Reads the size from one of the three forms of RFC 9649, §2.4 to §2.7.
  private static func sizeOfWebP(_ bytes: [UInt8]) -> PictureSize? {
    if has("VP8X", in: bytes, at: 12) {
      guard let width = little(bytes, 24, 3), let height = little(bytes, 27, 3) else { return nil }
      return PictureSize(width: width + 1, height: height + 1)
    }
    if has("VP8L", in: bytes, at: 12) {
      guard let bits = little(bytes, 21, 4) else { return nil }
      return PictureSize(width: (bits & 0x3FFF) + 1, height: (bits >> 14 & 0x3FFF) + 1)
    }
    guard has("VP8 ", in: bytes, at: 12), let width = little(bytes, 26, 2),
      let height = little(bytes, 28, 2)
    else { return nil }
    return PictureSize(width: width & 0x3FFF, height: height & 0x3FFF)
  }

  private static func uprightSize(_ bytes: [UInt8]) -> PictureSize? {
    guard let size = sizeOfJPEG(bytes) else { return nil }
    return PictureOrientation(of: bytes).swapsSides
      ? PictureSize(width: size.height, height: size.width) : size
  }

  /// Reads the size from the frame header (SOFn) of ITU T.81, §B.2.2, in any segment.
  private static func sizeOfJPEG(_ bytes: [UInt8]) -> PictureSize? {
    var place = 2
    while place + 4 <= bytes.count {
      guard bytes[place] == 0xFF else { return nil }
      let marker = bytes[place + 1]
      if marker == 0xFF {
        place += 1
        continue
      }
      if marker == 0x01 || (0xD0...0xD7).contains(marker) {
        place += 2
        continue
      }
      if marker == 0xD9 || marker == 0xDA { return nil }
      guard let length = big(bytes, place + 2, 2), length >= 2 else { return nil }
      let isFrame =
        (0xC0...0xCF).contains(marker) && marker != 0xC4 && marker != 0xC8 && marker != 0xCC
      if isFrame {
        guard let height = big(bytes, place + 5, 2), let width = big(bytes, place + 7, 2) else {
          return nil
        }
        return PictureSize(width: width, height: height)
      }
      place += 2 + length
    }
    return nil
  }
}

/// A cached picture of an article.
public struct Picture: Sendable, Equatable, Identifiable {
  /// The state of the picture in the cache.
  public enum State: Sendable, Equatable {
    case waiting
    case stored(StoredPicture)
    case refused(PictureRefusal)
    case failed(RefreshFailure)
    /// Only the size is known: the file was not requested, or was removed to free space.
    case absent
  }
  public var id: Int64
  /// An absolute address; each address has one row.
  public var url: String
  public var state: State
  /// The last received size; `nil` if no picture was received.
  public var size: PictureSize?

  public init(id: Int64, url: String, state: State, size: PictureSize? = nil) {
    (self.id, self.url, self.state, self.size) = (id, url, state, size)
  }
}

/// A picture whose file is in the store.
public struct StoredPicture: Sendable, Hashable {
  public var id: Int64
  /// XXH64 of the file's bytes.
  public var hash: UInt64
  /// The length of the file in bytes.
  public var length: Int
  public var size: PictureSize

  public init(id: Int64, hash: UInt64, length: Int, size: PictureSize) {
    (self.id, self.hash, self.length, self.size) = (id, hash, length, size)
  }
}
