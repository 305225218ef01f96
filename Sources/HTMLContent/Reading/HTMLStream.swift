internal import TextRules

/// A part of a document, in its order.
public enum HTMLPart: Sendable, Equatable {
  /// A text, or an element with all that is in it.
  case node(HTMLNode)
  /// The beginning of an element that is too large to be held: its children so far. What follows,
  /// up to the matching `close`, is inside of it.
  case open(HTMLElement)
  /// The end of the element that the matching `open` began.
  case close
}

/// A fragment or document, read step by step: the tree that `HTMLContent.parse` makes, in parts of
/// a bounded size. A value: a copy goes on from where the original was. Cheap to hold, and to drop.
public struct HTMLStream: Sendable {
  /// Texts are handed over in pieces of about this many bytes, and elements whole up to about that
  /// size.
  static let textPiece = 4_096
  /// Lists, tables and the like are read whole up to about this size in bytes.
  static let mostHeld = 1 << 20
  /// What is better looked at as a whole.
  static let heldElements: Set<String> = [
    "table", "ul", "ol", "math", "svg", "audio", "video", "sup", "sub",
  ]

  /// A list of terms is read whole up to about this size: as long as its terms may be in a
  /// column.
  static let mostTermsHeld = 1 << 15

  private let source: Source
  private var reader: Reader
  private var isAtEnd = false

  /// Nothing is read before the first `step`.
  public init(_ html: String) {
    source = Source(html)
    reader = Reader(reader: HTMLReader(source.bytes, sink: TreeBuilder.ofParts))
  }

  /// The next part that is complete; nil if `step` has to read on first.
  public mutating func takePart() -> HTMLPart? { reader.reader.sink.takePart() }

  /// Reads one tag or piece of text. False at the end of the document.
  public mutating func step() -> Bool {
    guard !isAtEnd else { return false }
    if !reader.reader.sink.readBacklog(), !reader.reader.step() {
      isAtEnd = true
      reader.reader.sink.handOverRest()
      return false
    }
    reader.reader.sink.handOver()
    return true
  }

  /// Bytes read so far, of `count`.
  public var position: Int { reader.reader.position - reader.reader.sink.backlogCount }
  /// Bytes of the whole document.
  public var count: Int { source.bytes.count }

  /// The names that links can call places in this document (`id`, and `name` of `<a>`), those in
  /// the first tags.
  public func placeNames(inTags limit: Int) -> Set<String> {
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

  /// Where a piece of a long text ends: after a space, else between characters, and in no
  /// reference.
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

  /// The bytes of the document, at one address as long as a stream reads them.
  private final class Source: Sendable {
    /// Nobody writes to them.
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

  /// Holds the address of bytes that do not change and that `Source` keeps alive.
  private struct Reader: @unchecked Sendable {
    var reader: HTMLReader<TreeBuilder>
  }
}
