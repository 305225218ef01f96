struct XMLElement {
  var vocabulary: Vocabulary
  var name: Name
  var attributes: [XMLAttribute]
  var base: Base
  var language: String?

  /// Returns the value of an attribute without a namespace; the first of equal ones.
  subscript(name: Name) -> String? {
    for attribute in attributes where attribute.vocabulary == .core && attribute.name == name {
      return attribute.value
    }
    return nil
  }

  /// Returns the value of an attribute in any namespace, preferably in none.
  func attribute(anywhere name: Name) -> String? {
    self[name] ?? attributes.first { $0.name == name }?.value
  }
}

/// An attribute with a known name.
struct XMLAttribute {
  var vocabulary: Vocabulary
  var name: Name
  var value: String
}

/// The part of an opened element that an interpreter requests.
enum Reading {
  /// The child elements, in a new context; the element's own text follows at the end.
  case children(Context)
  /// The text, with markup treated by the mode.
  case text(TextMode)
  case skip
}

/// The treatment of child elements in a text.
enum TextMode {
  /// Plain text; tags are dropped and their text is kept.
  case plain
  /// Escaped HTML; child elements join it as HTML.
  case html
  /// Plain text with XHTML child elements: the result is HTML.
  case xhtml
}

/// The text of an element. Valid only during the call.
struct XMLText {
  var element: XMLElement
  var bytes: UnsafeBufferPointer<UInt8>
  /// True if child elements were found, so that `bytes` is HTML.
  var hasMarkup: Bool
  /// The content of a `div` that wraps the whole text.
  var wrapped: Range<Int>?

  /// The HTML without the `div` that Atom requires around XHTML (RFC 4287, §3.1.1.3).
  var withoutWrapper: UnsafeBufferPointer<UInt8> {
    wrapped.map { UnsafeBufferPointer(rebasing: bytes[$0]) } ?? bytes
  }
}

/// The place of an element in a feed; each format uses some of them.
enum Context {
  case document, root, feed, item, image, itemImage, person, source, mediaGroup, mediaContent
  case skipHours, skipDays, category, chapters
}

/// Receives the elements of a document.
protocol XMLInterpreter: AnyObject {
  func open(_ element: XMLElement, in context: Context) -> Reading
  /// Handles the end of an element read as `.children`, with the text directly in it.
  func close(_ element: XMLElement, as context: Context, in parent: Context, text: [UInt8])
  func read(_ text: XMLText, in context: Context)
}
