/// An element as passed to an interpreter.
struct XMLElement {
  var vocabulary: Vocabulary
  var name: Name
  var attributes: [XMLAttribute]
  /// The base for relative references in this element.
  var base: Base
  var language: String?

  /// The value of an attribute without a namespace; the first of equal ones.
  subscript(name: Name) -> String? {
    for attribute in attributes where attribute.vocabulary == .core && attribute.name == name {
      return attribute.value
    }
    return nil
  }

  /// The value of an attribute in any namespace, preferably none.
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
  /// Its children, in a new context; its own text follows at the end.
  case children(Context)
  /// Its text, with markup treated by the mode.
  case text(TextMode)
  case skip
}

/// The treatment of child elements in a text.
enum TextMode {
  /// Drops tags and keeps their text.
  case plain
  /// The text is escaped HTML; child elements join it as HTML.
  case html
  /// The text is plain and the child elements are XHTML: the result is HTML.
  case xhtml
}

/// The text of an element. Valid only during the call.
struct XMLText {
  var element: XMLElement
  var bytes: UnsafeBufferPointer<UInt8>
  /// Child elements were found: `bytes` is HTML.
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
  case skipHours, skipDays, category
}

/// Receives the elements of a document.
protocol XMLInterpreter: AnyObject {
  func open(_ element: XMLElement, in context: Context) -> Reading
  /// Called at the end of an element read as `.children`, with the text directly in it.
  func close(_ element: XMLElement, as context: Context, in parent: Context, text: [UInt8])
  func take(_ text: XMLText, in context: Context)
}
