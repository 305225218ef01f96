// XML: reading, mending and the words of its vocabularies. What enters this folder knows how documents
// are written, not what feeds mean by them.

internal import CLibXML2

/// Reads well-formed XML with libxml2's SAX2 interface and hands its elements to an interpreter.
///
/// The only place of this target where libxml2 parses. It is given UTF-8 bytes from the root element
/// on: no XML declaration, no DTD, hence no entities, no files, no network.
///
/// Documents built to be slow are refused as if they were damaged: `XMLRepair` takes the excess out.
final class XMLReader {
  /// Elements nested deeper than this lose their tags and keep their text.
  static let maximumDepth = 256
  /// libxml2 compares each attribute of an element with each other.
  static let maximumAttributes = 256
  /// Namespaces declared in the elements open at one time; libxml2 searches them one by one.
  static let maximumNamespaces = 512

  private let interpreter: any XMLInterpreter
  private var frames: [Frame] = []
  private var names: [UnsafeRawPointer: Name] = [:]
  private var vocabularies: [UnsafeRawPointer: Vocabulary] = [:]
  private var prefixes: [UnsafeRawPointer: Vocabulary] = [:]

  /// Elements open inside a text or a skipped element.
  private var innerDepth = 0
  private var text: [UInt8] = []
  private var hasMarkup = false
  /// Elements directly in the text.
  private var childCount = 0
  /// Bases that `xml:base` inside of a text set, with the depth that they hold from.
  private var innerBases: [(depth: Int, base: Base)] = []
  private var rootClosed = false
  private var depth = 0
  /// Namespace declarations in force, by the depth of the element that made them.
  private var declarations: [(depth: Int, count: Int)] = []
  private var declarationCount = 0
  /// Only while libxml2 is at work.
  private var parser: xmlParserCtxtPtr?
  private var refusal: String?

  private struct Frame {
    var element: XMLElement
    var kind: Kind
    var text: [UInt8] = []
    enum Kind {
      case children(Context)
      case text(TextMode)
      case skip
    }
  }

  /// A namespace that counts as a known one in this document.
  private let own: (namespace: String, vocabulary: Vocabulary)?

  init(
    interpreter: any XMLInterpreter, base: Base, own: (namespace: String, Vocabulary)? = nil
  ) {
    self.interpreter = interpreter
    self.own = own
    let document = XMLElement(
      vocabulary: .core, name: .unknown, attributes: [], base: base, language: nil)
    frames = [Frame(element: document, kind: .children(.document))]
  }

  /// Reads a document.
  /// - Parameter isMended: it has been through `XMLRepair`: go on after an error, as far as libxml2
  ///   can, and without libxml2's own limits, as the excess has been taken out.
  /// - Returns: nil where the document was well-formed up to the end of its root element, else
  ///   the reason.
  func read(_ bytes: UnsafeBufferPointer<UInt8>, isMended: Bool) -> String? {
    LibXML2.prepare()
    guard !bytes.isEmpty else { return "no XML" }
    if !isMended, Self.hasTooManyAttributes(bytes) { return "an element has too many attributes" }
    guard let parser = xmlNewParserCtxt() else { return "out of memory" }
    self.parser = parser
    defer {
      self.parser = nil
      xmlFreeParserCtxt(parser)
    }
    parser.pointee.sax.pointee = Self.handler()
    parser.pointee.userData = Unmanaged.passUnretained(self).toOpaque()
    var options =
      XML_PARSE_NOENT.rawValue | XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue
      | XML_PARSE_NOWARNING.rawValue
    if isMended { options |= XML_PARSE_RECOVER.rawValue | XML_PARSE_HUGE.rawValue }
    // Read piece by piece: libxml2 would copy a document in memory as a whole.
    var source = ByteSource(rest: bytes[...])
    withUnsafeMutablePointer(to: &source) { source in
      _ = xmlCtxtReadIO(parser, ByteSource.read, nil, source, nil, nil, Int32(options))
    }
    if let refusal { return refusal }
    if parser.pointee.wellFormed == 1 || rootClosed { return nil }
    guard let message = parser.pointee.lastError.message else { return "not well-formed" }
    var reason = String(cString: message)
    while reason.last?.isWhitespace == true { reason.removeLast() }
    return reason
  }

  private static func handler() -> xmlSAXHandler {
    var sax = xmlSAXHandler()
    sax.initialized = UInt32(XML_SAX2_MAGIC)
    sax.startElementNs = { context, name, prefix, uri, declared, _, count, _, attributes in
      guard let context, let name else { return }
      let reader = Unmanaged<XMLReader>.fromOpaque(context).takeUnretainedValue()
      reader.enter(declaring: Int(declared))
      reader.start(
        RawName(local: name, prefix: prefix, uri: uri),
        RawAttributes(base: attributes, count: Int(count)))
    }
    sax.endElementNs = { context, name, _, _ in
      guard let context, let name else { return }
      let reader = Unmanaged<XMLReader>.fromOpaque(context).takeUnretainedValue()
      reader.end(name)
      reader.leave()
    }
    let characters: charactersSAXFunc = { context, bytes, count in
      guard let context, let bytes, count > 0 else { return }
      Unmanaged<XMLReader>.fromOpaque(context).takeUnretainedValue()
        .characters(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }
    sax.characters = characters
    sax.ignorableWhitespace = characters
    sax.cdataBlock = characters
    return sax
  }

  // MARK: Limits

  /// Whether some tag holds more attributes than libxml2 can compare in reasonable time. In
  /// well-formed XML no tag reaches beyond the next `<`, so only far ones are looked into.
  private static func hasTooManyAttributes(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var open = 0
    while open < bytes.count {
      let next = bytes.index(of: UInt8(ascii: "<"), from: open + 1) ?? bytes.count
      if next - open > maximumAttributes * 4, bytes[open + 1] != UInt8(ascii: "!") {
        var quote: UInt8?
        var count = 0
        for byte in bytes[open..<next] {
          if let mark = quote {
            if byte == mark { quote = nil }
          } else if byte == 0x22 || byte == 0x27 {
            quote = byte
            count += 1
            if count > maximumAttributes { return true }
          } else if byte == UInt8(ascii: ">") {
            break
          }
        }
      }
      open = next
    }
    return false
  }

  private func enter(declaring count: Int) {
    depth += 1
    guard count > 0 else { return }
    declarations.append((depth, count))
    declarationCount += count
    if declarationCount > Self.maximumNamespaces, let parser {
      refusal = "too many namespaces"
      xmlStopParser(parser)
    }
  }

  private func leave() {
    if let last = declarations.last, last.depth == depth {
      declarationCount -= last.count
      declarations.removeLast()
    }
    depth -= 1
  }

  // MARK: Names

  private func name(_ local: UnsafePointer<xmlChar>) -> Name {
    let key = UnsafeRawPointer(local)
    if let known = names[key] { return known }
    let name = Name(local: String(cString: local).lowercased())
    names[key] = name
    return name
  }

  private func vocabulary(_ raw: RawName) -> Vocabulary {
    if let uri = raw.uri {
      let key = UnsafeRawPointer(uri)
      if let known = vocabularies[key] { return known }
      let address = String(cString: uri)
      let vocabulary =
        address == own?.namespace ? own?.vocabulary ?? .other : Vocabulary(address: address)
      vocabularies[key] = vocabulary
      return vocabulary
    }
    guard let prefix = raw.prefix else { return .core }
    let key = UnsafeRawPointer(prefix)
    if let known = prefixes[key] { return known }
    let vocabulary = Vocabulary(undeclaredPrefix: String(cString: prefix))
    prefixes[key] = vocabulary
    return vocabulary
  }

  // MARK: Events

  private func start(_ raw: RawName, _ attributes: RawAttributes) {
    switch frames[frames.count - 1].kind {
    case .skip:
      innerDepth += 1
    case .text(let mode):
      innerDepth += 1
      startInner(raw, attributes, mode: mode)
    case .children(let context):
      guard frames.count < Self.maximumDepth else {
        frames.append(Frame(element: frames[frames.count - 1].element, kind: .skip))
        return
      }
      let parent = frames[frames.count - 1].element
      var element = XMLElement(
        vocabulary: vocabulary(raw), name: name(raw.local), attributes: [], base: parent.base,
        language: parent.language)
      for index in 0..<attributes.count {
        guard let raw = attributes.name(index) else { continue }
        let attribute = XMLAttribute(
          vocabulary: vocabulary(raw), name: String(cString: raw.local).lowercased(),
          value: String(decoding: attributes.value(index), as: UTF8.self))
        if attribute.vocabulary == .xml {
          if attribute.name == "base" { element.base = element.base.moved(to: attribute.value) }
          if attribute.name == "lang", !attribute.value.isEmpty {
            element.language = attribute.value
          }
        }
        element.attributes.append(attribute)
      }
      let kind: Frame.Kind
      switch interpreter.open(element, in: context) {
      case .children(let context): kind = .children(context)
      case .skip: kind = .skip
      case .text(let mode):
        kind = .text(mode)
        text.removeAll(keepingCapacity: text.capacity < 1 << 20)
        hasMarkup = false
        childCount = 0
        innerBases.removeAll()
      }
      innerDepth = 0
      frames.append(Frame(element: element, kind: kind))
    }
  }

  private func end(_ local: UnsafePointer<xmlChar>) {
    guard let frame = frames.last, frames.count > 1 else { return }
    switch frame.kind {
    case .skip where innerDepth > 0:
      innerDepth -= 1
      return
    case .text(let mode) where innerDepth > 0:
      endInner(local, mode: mode)
      innerDepth -= 1
      return
    default: break
    }
    frames.removeLast()
    rootClosed = frames.count == 1
    guard case .children(let parent) = frames[frames.count - 1].kind else { return }
    switch frame.kind {
    case .skip: break
    case .text:
      interpreter.take(
        XMLText(
          element: frame.element, bytes: text, hasMarkup: hasMarkup,
          isOneElement: childCount == 1),
        in: parent)
    case .children(let context):
      interpreter.close(frame.element, as: context, in: parent, text: frame.text)
    }
  }

  private func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
    let top = frames.count - 1
    switch frames[top].kind {
    case .skip: break
    case .children:
      if frames[top].text.isEmpty, bytes.allSatisfy({ $0 <= 0x20 }) { return }
      frames[top].text.append(contentsOf: bytes)
    case .text(.xhtml) where hasMarkup: HTMLWriter.escape(bytes, into: &text)
    case .text: text.append(contentsOf: bytes)
    }
  }

  // MARK: Markup inside a text

  private func startInner(_ raw: RawName, _ attributes: RawAttributes, mode: TextMode) {
    if innerDepth == 1 { childCount += 1 }
    if case .plain = mode { return }
    if !hasMarkup {
      hasMarkup = true
      if case .xhtml = mode, !text.isEmpty {
        let plain = text
        text.removeAll()
        plain.withUnsafeBufferPointer { HTMLWriter.escape($0, into: &text) }
      }
    }
    for index in 0..<attributes.count {
      guard let name = attributes.name(index), vocabulary(name) == .xml,
        String(cString: name.local) == "base"
      else { continue }
      let base = innerBases.last?.base ?? frames[frames.count - 1].element.base
      let value = String(decoding: attributes.value(index), as: UTF8.self)
      innerBases.append((innerDepth, base.moved(to: value)))
    }
    guard innerDepth <= Self.maximumDepth else { return }
    text.append(UInt8(ascii: "<"))
    text.append(contentsOf: raw.local.bytes)
    for index in 0..<attributes.count {
      guard let name = attributes.name(index), name.prefix == nil || vocabulary(name) != .xml
      else { continue }
      text.append(UInt8(ascii: " "))
      if let prefix = name.prefix {
        text.append(contentsOf: prefix.bytes)
        text.append(UInt8(ascii: ":"))
      }
      text.append(contentsOf: name.local.bytes)
      text.append(contentsOf: "=\"".utf8)
      if let base = innerBases.last?.base, HTMLWriter.holdsAddress(name.local.bytes) {
        let address = base.resolve(String(decoding: attributes.value(index), as: UTF8.self))
        HTMLWriter.escape(address, into: &text)
      } else {
        HTMLWriter.escape(attributes.value(index), into: &text)
      }
      text.append(UInt8(ascii: "\""))
    }
    text.append(UInt8(ascii: ">"))
  }

  private func endInner(_ local: UnsafePointer<xmlChar>, mode: TextMode) {
    if case .plain = mode { return }
    if innerBases.last?.depth == innerDepth { innerBases.removeLast() }
    guard innerDepth <= Self.maximumDepth, !HTMLWriter.isVoid(local.bytes) else { return }
    text.append(contentsOf: "</".utf8)
    text.append(contentsOf: local.bytes)
    text.append(UInt8(ascii: ">"))
  }
}
