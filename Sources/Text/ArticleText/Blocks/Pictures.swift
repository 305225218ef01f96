public import FeedModel
import HTMLContent
import TextRules

/// The placement of pictures in a text.
public struct PictureSetting: Sendable, Equatable {
  /// The size of a terminal cell in pixels.
  public var cell: PictureSize
  /// Maximum number of rows of a picture, which is reduced to fit.
  public var maximumRows: Int
  /// Sizes read from the pictures, by address.
  public var sizes: [String: PictureSize]
  /// Addresses of pictures that are not shown and get no rows.
  public var hidden: Set<String>
  /// Addresses of pictures that cannot be shown; their description gives the reason.
  public var refused: Set<String>

  public init(
    cell: PictureSize, maximumRows: Int, sizes: [String: PictureSize] = [:],
    hidden: Set<String> = [], refused: Set<String> = []
  ) {
    self.cell = PictureSize(width: max(1, cell.width), height: max(1, cell.height))
    self.maximumRows = max(1, maximumRows)
    self.sizes = sizes
    self.hidden = hidden
    self.refused = refused
  }

  /// Returns the cells of a picture in a space of `columns`: as wide as possible, but not enlarged.
  public func cells(of size: PictureSize, columns: Int) -> (columns: Int, rows: Int) {
    guard size.width > 0, size.height > 0, columns > 0 else { return (0, 0) }
    let natural = (size.width + cell.width - 1) / cell.width
    let width = min(natural, columns)
    let pixels = Double(min(size.width, width * cell.width))
    let height = pixels * Double(size.height) / Double(size.width) / Double(cell.height)
    let rows = max(1, Int(height.rounded()))
    guard rows > maximumRows else { return (width, rows) }
    let scaled =
      Double(maximumRows * cell.height) * Double(size.width) / Double(size.height)
      / Double(cell.width)
    return (max(1, min(width, Int(scaled.rounded()))), maximumRows)
  }
}

/// The part of a picture in a line.
public struct PictureRow: Sendable, Hashable {
  public var address: String
  /// The row of the picture; `nil` for the description of a picture of unknown size.
  public var row: Int?
  /// Number of columns of the whole picture.
  public var columns: Int
  /// Number of rows of the whole picture; 0 if its size is unknown.
  public var rows: Int
  /// The number in the picture's description, from 1.
  public var number: Int?

  public init(address: String, row: Int?, columns: Int = 0, rows: Int = 0, number: Int? = nil) {
    (self.address, self.row, self.columns, self.rows) = (address, row, columns, rows)
    self.number = number
  }
}

package struct PictureReference: Sendable, Hashable {
  /// An absolute address with http or https.
  package var address: String
  /// The size stated by the page.
  package var size: PictureSize?
}

extension PictureReference {
  init?(_ element: HTMLElement) {
    guard let address = element["src"], !address.isEmpty,
      address.utf8.count <= WebAddress.maximumLength, WebAddress(address).isHTTP
    else { return nil }
    self.address = address
    if let width = Self.pixels(element["width"]), let height = Self.pixels(element["height"]) {
      size = PictureSize(width: width, height: height)
    }
  }

  /// Parses a length in pixels; `nil` if missing or a percentage.
  private static func pixels(_ text: String?) -> Int? {
    guard var text = text?[...] else { return nil }
    if text.hasSuffix("px") { text = text.dropLast(2) }
    guard let value = Int(text), (1...65_535).contains(value) else { return nil }
    return value
  }

  var isTracker: Bool {
    size.map { max($0.width, $0.height) <= PictureLimits.trackerSide } ?? false
  }

  /// Returns the pictures of clean HTML in order, without those with the size of a tracking pixel.
  /// Reads only their tags, and each distinct tag once.
  package static func all(in html: String, limit: Int = 500) -> [PictureReference] {
    var html = html
    return html.withUTF8 { bytes in
      var found: [PictureReference] = []
      var seen: Set<String> = []
      var tags: Set<String> = []
      var place = 0
      while found.count < limit, tags.count < mostTags, let tag = nextTag(bytes, from: place) {
        place = tag.upperBound
        let text = String(decoding: bytes[tag], as: UTF8.self)
        guard tags.insert(text).inserted,
          case .element(let element)? = HTMLContent.parse(text).first, element.name == "img",
          let reference = PictureReference(element), !reference.isTracker,
          !SmallPicture.isSmall(element), !SmallPicture.isShareIcon(reference.address),
          seen.insert(reference.address).inserted
        else { continue }
        found.append(reference)
      }
      return found
    }
  }

  /// Maximum number of distinct tags that are examined, including icons and repeated pictures.
  private static let mostTags = 2_000

  private static func nextTag(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Range<Int>? {
    var start = start
    while let place = bytes.index(of: UInt8(ascii: "<"), from: start), place + 5 < bytes.count {
      start = place + 1
      let isPicture =
        bytes[place + 1] | 0x20 == UInt8(ascii: "i") && bytes[place + 2] | 0x20 == UInt8(ascii: "m")
        && bytes[place + 3] | 0x20 == UInt8(ascii: "g") && bytes[place + 4] <= 0x20
      guard isPicture else { continue }
      var quote: UInt8?
      for end in place + 5..<bytes.count {
        let byte = bytes[end]
        if let open = quote {
          if byte == open { quote = nil }
        } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
          quote = byte
        } else if byte == UInt8(ascii: ">") {
          return place..<end + 1
        }
      }
      return nil
    }
    return nil
  }
}
