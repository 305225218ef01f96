import CLibXML2

/// The time in which libxml2 reads a document without output: the lower bound of a parser built on
/// it, and the measure of any other.
enum RawSAX {
  static func prepare() { xmlInitParser() }

  /// Runs the SAX2 interface with empty callbacks over a document in memory.
  static func read(_ bytes: [UInt8]) {
    guard let parser = xmlNewParserCtxt() else { return }
    defer { xmlFreeParserCtxt(parser) }
    var sax = xmlSAXHandler()
    sax.initialized = UInt32(XML_SAX2_MAGIC)
    sax.startElementNs = { _, _, _, _, _, _, _, _, _ in }
    sax.endElementNs = { _, _, _, _ in }
    sax.characters = { _, _, _ in }
    sax.ignorableWhitespace = { _, _, _ in }
    sax.cdataBlock = { _, _, _ in }
    parser.pointee.sax.pointee = sax
    let options =
      XML_PARSE_NOENT.rawValue | XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue
      | XML_PARSE_NOWARNING.rawValue | XML_PARSE_RECOVER.rawValue | XML_PARSE_HUGE.rawValue
    bytes.withUnsafeBytes { buffer in
      let start = buffer.bindMemory(to: CChar.self).baseAddress
      _ = xmlCtxtReadMemory(parser, start, Int32(buffer.count), nil, nil, Int32(options))
    }
  }
}
