internal import TextRules

/// A part of a document, in order.
package enum HTMLPart: Sendable, Equatable {
  /// A text or a complete element.
  case node(HTMLNode)
  /// The start of a large element, with its children so far. Subsequent parts up to the matching
  /// `close` are inside it.
  case open(HTMLElement)
  /// The end of the element of the matching `open`.
  case close
}

/// Reads a fragment or document in steps: the tree of `HTMLContent.parse` in parts of bounded size.
/// Copies continue independently.
package struct HTMLStream: Sendable {
  /// Approximate bytes of a text piece, and of a whole element.
  static let textPiece = 4_096
  /// Approximate bytes up to which lists, tables and similar elements are read whole.
  static let mostHeld = 1 << 20
  /// Elements that are read whole if possible.
  static let heldElements: Set<String> = [
    "table", "ul", "ol", "math", "svg", "audio", "video", "sup", "sub",
  ]

  /// Approximate bytes up to which a list of terms is read whole: enough to align its terms.
  static let mostTermsHeld = 1 << 15

  private let source: Source
  private var reader: Reader
  private var isAtEnd = false

  package init(_ html: String) {
    source = Source(html)
    reader = Reader(reader: HTMLReader(source.bytes, sink: TreeBuilder.ofParts))
  }

  /// Returns and removes the next complete part; `nil` until `step` has read more.
  package mutating func popPart() -> HTMLPart? { reader.reader.sink.popPart() }

  /// Reads one tag or piece of text. Returns false at the end of the document.
  package mutating func step() -> Bool {
    guard !isAtEnd else { return false }
    if !reader.reader.sink.readBacklog(), !reader.reader.step() {
      isAtEnd = true
      reader.reader.sink.handOverRest()
      return false
    }
    reader.reader.sink.handOver()
    return true
  }

  /// Number of bytes read so far, of `count`.
  package var position: Int { reader.reader.position - reader.reader.sink.backlogCount }
  /// Number of bytes of the whole document.
  package var count: Int { source.bytes.count }

  /// Returns the link targets of this document (`id`, and `name` of `<a>`) in the first tags.
  package func placeNames(inTags limit: Int) -> Set<String> {
    var names: Set<String> = []
    var tokeniser = HTMLTokeniser(source.bytes)
    var value = HTMLWriter()
    var tags = 0
    while tags < limit {
      switch tokeniser.next() {
      case .text, .endTag, .unfinished: continue
      case .end: return names
      case .startTag: tags += 1
      }
      for attribute in tokeniser.attributes {
        let name = PackedName(source.bytes, attribute.name)
        guard name == Self.id || name == Self.name && tokeniser.name == Self.anchor else {
          continue
        }
        value.out.removeAll(keepingCapacity: true)
        value.write(
          source.bytes, attribute.value, decodes: true, escaping: .none, inAttribute: true)
        names.insert(String(decoding: value.out, as: UTF8.self))
      }
    }
    return names
  }

  private static let id = PackedName("id")
  private static let name = PackedName("name")
  private static let anchor = PackedName("a")

  /// Returns the end of a piece of a long text: after a space, else between characters, but not in
  /// a reference.
  static func endOfPiece(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int {
    guard range.count > textPiece else { return range.upperBound }
    let limit = range.lowerBound + textPiece
    var end = limit
    while end > limit - textPiece / 4 {
      if bytes[end - 1] == 0x20 || bytes[end - 1] == 0x0A { return end }
      end -= 1
    }
    end = limit
    while end > limit - 4, bytes[end] & 0xC0 == 0x80 || bytes[end] == 0x0A { end -= 1 }
    if let reference = bytes[(end - 64)..<end].lastIndex(of: UInt8(ascii: "&")) { return reference }
    return end
  }

  /// Keeps the document's bytes at one address.
  private final class Source: Sendable {
    /// The bytes, which are never modified.
    nonisolated(unsafe) let bytes: UnsafeBufferPointer<UInt8>

    init(_ html: String) {
      var html = html
      bytes = html.withUTF8 { utf8 in
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: utf8.count)
        _ = copy.initialize(from: utf8)
        return UnsafeBufferPointer(copy)
      }
    }

    deinit { bytes.deallocate() }
  }

  /// Points to immutable bytes that `Source` keeps alive.
  private struct Reader: @unchecked Sendable {
    var reader: HTMLReader<TreeBuilder>
  }
}
