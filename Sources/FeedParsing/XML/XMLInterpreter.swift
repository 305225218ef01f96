// The contract between the reader of XML and the readers of formats.

/// An element as an interpreter sees it.
struct XMLElement {
  var vocabulary: Vocabulary
  var name: Name
  var attributes: [XMLAttribute]
  /// The address that relative references in this element resolve against.
  var base: Base
  var language: String?

  /// The value of an attribute without a namespace; of equal ones the first.
  subscript(name: Name) -> String? {
    for attribute in attributes where attribute.vocabulary == .core && attribute.name == name {
      return attribute.value
    }
    return nil
  }

  /// The value of an attribute whatever its namespace; the plain one first.
  func attribute(anywhere name: Name) -> String? {
    self[name] ?? attributes.first { $0.name == name }?.value
  }
}

/// An attribute whose name is known.
struct XMLAttribute {
  var vocabulary: Vocabulary
  var name: Name
  var value: String
}

/// What an interpreter wants of an element that has just opened.
enum Reading {
  /// Its children, in a new context; text directly in it is handed over when it closes.
  case children(Context)
  /// Its text; with markup inside handled as the mode says.
  case text(TextMode)
  case skip
}

/// How child elements inside a text are treated.
enum TextMode {
  /// Tags are dropped, their text is kept.
  case plain
  /// The text is HTML written out; child elements join it as HTML.
  case html
  /// The text is text and the child elements are XHTML: the result is HTML.
  case xhtml
}

/// A text with what is needed to understand it; alive while it is taken.
struct XMLText {
  var element: XMLElement
  var bytes: UnsafeBufferPointer<UInt8>
  /// Child elements were found and written out: `bytes` is HTML.
  var hasMarkup: Bool
  /// Where the content of the only `div` is.
  var wrapped: Range<Int>?

  /// The HTML without the `div` that Atom demands around XHTML (RFC 4287, §3.1.1.3): it is no part
  /// of the content.
  var withoutWrapper: UnsafeBufferPointer<UInt8> {
    wrapped.map { UnsafeBufferPointer(rebasing: bytes[$0]) } ?? bytes
  }
}

/// Where in a feed an element is; each format uses those that it has.
enum Context {
  case document, root, feed, item, image, itemImage, person, source, mediaGroup, mediaContent
  case skipHours, skipDays, category
}

/// What a format's reader does with the elements that it is shown.
protocol XMLInterpreter: AnyObject {
  func open(_ element: XMLElement, in context: Context) -> Reading
  /// An element read as `.children` has closed; `text` is what was directly in it.
  func close(_ element: XMLElement, as context: Context, in parent: Context, text: [UInt8])
  func take(_ text: XMLText, in context: Context)
}
