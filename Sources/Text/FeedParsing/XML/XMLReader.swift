internal import HTMLContent
internal import TextRules

/// Reads XML and passes its elements to an interpreter.
///
/// Supports entities for plain text (`DocumentEntities`) and no other part of a document type: no
/// files, no network. A fault in a tag or text affects only that tag or text. If tags do not match,
/// a second pass infers missing end tags from elements that feeds never nest. Elements still open
/// at the end are not closed, so that the interpreter never receives an incomplete one.
struct XMLReader<Interpreter: XMLInterpreter> {
  private let interpreter: Interpreter
  let bytes: UnsafeBufferPointer<UInt8>
  private(set) var scanner: XMLScanner
  private let mends: Bool
  let family: DocumentFamily
  /// A namespace with an assumed vocabulary in this document.
  let own: (namespace: String, vocabulary: Vocabulary)?

  private(set) var open: [Range<Int>] = []
  /// Number of open elements beyond the depth limit.
  var unlisted = 0
  private(set) var frames: [Frame]
  var bindings: [NamespaceBinding] = []
  let names = Name.table

  /// Number of open elements inside a text or a skipped element.
  private var innerDepth = 0
  private var text: [UInt8] = []
  private var hasMarkup = false
  private var wrapper = Wrapper()
  /// Bases set by `xml:base` inside a text, with their depths.
  private var innerBases: [(depth: Int, base: Base)] = []

  struct Frame {
    var element: XMLElement
    var kind: Kind
    var text: [UInt8] = []
    enum Kind {
      case children(Context)
      case text(TextMode)
      case skip
    }
  }

  /// The only element of a text.
  private struct Wrapper {
    var count = 0
    var tagStart = 0
    var contentStart = 0
    var contentEnd = 0
    var tagEnd = 0
  }

  struct Reading {
    var interpreter: Interpreter
    var fault: String?
    /// True if the document ends inside its root element.
    var isUnclosed = false
  }

  /// - Parameters:
  ///   - text: UTF-8.
  ///   - start: the offset of the root element.
  ///   - make: creates an interpreter for each pass.
  static func read(
    _ text: [UInt8], from start: Int, base: Base, family: DocumentFamily,
    own: (namespace: String, vocabulary: Vocabulary)? = nil, with make: () -> Interpreter
  ) -> Reading {
    if let expanded = DocumentEntities.expanded(text, root: start) {
      return read(expanded, from: 0, base: base, family: family, own: own, with: make)
    }
    return text.withUnsafeBufferPointer { bytes in
      let bytes = UnsafeBufferPointer(rebasing: bytes[start...])
      func read(mends: Bool) -> (Reading, Fault?) {
        let interpreter = make()
        var reader = XMLReader(
          interpreter, bytes, base: base, family: family, own: own, mends: mends)
        let fault = reader.run()
        return (
          Reading(
            interpreter: interpreter, fault: fault?.text, isUnclosed: fault == .unclosed), fault
        )
      }
      let (first, fault) = read(mends: false)
      guard fault == .mismatch || fault == .misplacedItem else { return first }
      var second = read(mends: true).0
      second.fault = first.fault
      return second
    }
  }

  private enum Fault {
    case mismatch, misplacedItem, unclosed

    var text: String {
      switch self {
      case .mismatch: "an end tag does not match"
      case .misplacedItem: "an item begins within another element"
      case .unclosed: "it ends within an element"
      }
    }
  }

  private init(
    _ interpreter: Interpreter, _ bytes: UnsafeBufferPointer<UInt8>, base: Base,
    family: DocumentFamily, own: (namespace: String, vocabulary: Vocabulary)?, mends: Bool
  ) {
    self.interpreter = interpreter
    self.bytes = bytes
    self.family = family
    self.own = own
    self.mends = mends
    scanner = XMLScanner(bytes)
    let document = XMLElement(
      vocabulary: .core, name: .unknown, attributes: [], base: base, language: nil)
    frames = [Frame(element: document, kind: .children(.document))]
  }

  /// Reads up to the end of the root element; returns the fault, if any.
  private mutating func run() -> Fault? {
    while true {
      switch scanner.next() {
      case .text(let range): characters(range, isLiteral: false)
      case .literal(let range): characters(range, isLiteral: true)
      case .startTag:
        if mends { closeForgotten() } else if isMisplacedItem { return .misplacedItem }
        start()
      case .endTag:
        if let fault = end() { return fault }
      case .end: return open.isEmpty ? nil : .unclosed
      }
      if open.isEmpty, frames.count == 1, hasRoot { return nil }
    }
  }

  private var hasRoot = false

  // MARK: Structure

  private mutating func start() {
    guard open.count < XMLLimits.maximumDepth else {
      if !scanner.isEmpty { unlisted += 1 }
      return
    }
    hasRoot = true
    open.append(scanner.name)
    enter()
    if scanner.isEmpty { endElement() }
  }

  private mutating func end() -> Fault? {
    if unlisted > 0 {
      unlisted -= 1
      return nil
    }
    guard let top = open.last else { return nil }
    if same(top, scanner.name) {
      endElement()
      return nil
    }
    guard mends else { return .mismatch }
    if let match = open.lastIndex(where: { same($0, scanner.name) }) {
      while open.count > match { endElement() }
    } else if holdsOnlyText(top) {
      // A wrong end tag after a text without markup is probably misspelt.
      endElement()
    }
    return nil
  }

  private func holdsOnlyText(_ name: Range<Int>) -> Bool {
    let words: [StaticString] = [
      "title", "link", "guid", "id", "pubdate", "author", "category", "comments", "url", "name",
      "language", "updated", "published", "dc:date", "dc:creator", "email", "uri",
    ]
    return words.contains { matches(name, $0) }
  }

  // MARK: Elements

  private mutating func enter() {
    switch frames[frames.count - 1].kind {
    case .skip: innerDepth += 1
    case .text(let mode):
      innerDepth += 1
      startInner(mode)
    case .children(let context):
      if !scanner.attributes.isEmpty { declareNamespaces() }
      let element = element()
      let kind: Frame.Kind
      switch interpreter.open(element, in: context) {
      case .children(let context): kind = .children(context)
      case .skip: kind = .skip
      case .text(let mode):
        kind = .text(mode)
        text.removeAll(keepingCapacity: text.capacity < 1 << 16)
        hasMarkup = false
        wrapper = Wrapper()
        innerBases.removeAll()
      }
      innerDepth = 0
      frames.append(Frame(element: element, kind: kind))
    }
  }

  /// Handles the end of the innermost element.
  mutating func endElement() {
    guard let name = open.popLast() else { return }
    if innerDepth > 0 {
      if case .text(let mode) = frames[frames.count - 1].kind { endInner(name, mode) }
      innerDepth -= 1
      return
    }
    guard frames.count > 1, let frame = frames.popLast() else { return }
    while let last = bindings.last, last.depth >= open.count { bindings.removeLast() }
    guard case .children(let parent) = frames[frames.count - 1].kind else { return }
    switch frame.kind {
    case .skip: break
    case .text:
      let wrapped = wrappedContent
      text.withUnsafeBufferPointer { bytes in
        interpreter.read(
          XMLText(element: frame.element, bytes: bytes, hasMarkup: hasMarkup, wrapped: wrapped),
          in: parent)
      }
    case .children(let context):
      interpreter.close(frame.element, as: context, in: parent, text: frame.text)
    }
  }

  private mutating func characters(_ range: Range<Int>, isLiteral: Bool) {
    let top = frames.count - 1
    switch frames[top].kind {
    case .skip: break
    case .children:
      let run = UnsafeBufferPointer(rebasing: bytes[range])
      if frames[top].text.isEmpty, run.allSatisfy({ $0 <= 0x20 }) { return }
      Self.append(run, to: &frames[top].text, decodes: !isLiteral)
    case .text(.xhtml) where hasMarkup:
      // Copies escaped text, as HTML and XML escape alike.
      let run = UnsafeBufferPointer(rebasing: bytes[range])
      if isLiteral { HTMLWriter.append(run, to: &text) } else { text.append(contentsOf: run) }
    case .text:
      Self.append(UnsafeBufferPointer(rebasing: bytes[range]), to: &text, decodes: !isLiteral)
    }
  }

  /// Adds to a text. Takes no reader: its copy would share the text, which would then be copied.
  private static func append(
    _ run: UnsafeBufferPointer<UInt8>, to text: inout [UInt8], decodes: Bool
  ) {
    let start = text.count
    text.append(contentsOf: run)
    if decodes { References.decode(&text, from: start) }
  }

  // MARK: Markup inside a text

  private mutating func startInner(_ mode: TextMode) {
    if case .plain = mode { return }
    if !hasMarkup {
      hasMarkup = true
      if case .xhtml = mode, !text.isEmpty {
        let plain = text
        text.removeAll()
        plain.withUnsafeBufferPointer { HTMLWriter.append($0, to: &text) }
      }
    }
    for attribute in scanner.attributes where matches(attribute.name, "xml:base") {
      let base = innerBases.last?.base ?? frames[frames.count - 1].element.base
      let value = References.value(UnsafeBufferPointer(rebasing: bytes[attribute.value]))
      innerBases.append((innerDepth, base.moved(to: value)))
    }
    if innerDepth == 1 {
      wrapper.count += 1
      wrapper.tagStart = text.count
    }
    let name = local(scanner.name)
    if name == scanner.name, innerBases.isEmpty, !scanner.isEmpty {
      text.append(contentsOf: bytes[scanner.tag])
    } else {
      writeTag(name)
    }
    if innerDepth == 1 { wrapper.contentStart = text.count }
  }

  /// Writes the tag without prefixes and with absolute addresses.
  private mutating func writeTag(_ name: Range<Int>) {
    text.append(UInt8(ascii: "<"))
    text.append(contentsOf: bytes[name])
    for attribute in scanner.attributes where !matches(attribute.name, "xml:base") {
      var value = References.value(UnsafeBufferPointer(rebasing: bytes[attribute.value]))
      let local = UnsafeBufferPointer(rebasing: bytes[self.local(attribute.name)])
      if let base = innerBases.last?.base, HTMLContent.holdsAddress(local) {
        guard let address = base.resolve(value) else { continue }
        value = address
      }
      text.append(UInt8(ascii: " "))
      text.append(contentsOf: bytes[attribute.name])
      text.append(contentsOf: "=\"".utf8)
      value.withUTF8 { HTMLWriter.append($0, to: &text) }
      text.append(UInt8(ascii: "\""))
    }
    text.append(UInt8(ascii: ">"))
  }

  private mutating func endInner(_ name: Range<Int>, _ mode: TextMode) {
    if case .plain = mode { return }
    if innerBases.last?.depth == innerDepth { innerBases.removeLast() }
    if innerDepth == 1 { wrapper.contentEnd = text.count }
    let local = local(name)
    if !HTMLContent.isVoid(UnsafeBufferPointer(rebasing: bytes[local])) {
      text.append(contentsOf: "</".utf8)
      text.append(contentsOf: bytes[local])
      text.append(UInt8(ascii: ">"))
    }
    if innerDepth == 1 { wrapper.tagEnd = text.count }
  }

  /// The content of the text's only element, if it is a `div`.
  private var wrappedContent: Range<Int>? {
    guard hasMarkup, wrapper.count == 1,
      text[wrapper.tagStart...].starts(with: "<div".utf8),
      text[..<wrapper.tagStart].allSatisfy(\.isSpace),
      text[wrapper.tagEnd...].allSatisfy(\.isSpace)
    else { return nil }
    return wrapper.contentStart..<wrapper.contentEnd
  }
}

enum XMLLimits {
  /// Maximum depth; deeper elements lose their tags and keep their text.
  static let maximumDepth = 256
  /// Maximum number of namespaces in scope, which are searched linearly.
  static let maximumNamespaces = 256
}
