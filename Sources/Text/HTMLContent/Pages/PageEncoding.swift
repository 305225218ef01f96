internal import TextRules

/// Decodes web pages to UTF-8.
enum PageEncoding {
  static func utf8(_ page: [UInt8], contentType: String?) -> [UInt8] {
    TextDecoding.utf8(page, contentType: contentType) {
      declared($0) ?? TextDecoding.declaredEncoding($0)
    }
  }

  /// Returns the charset of `<meta charset>` or `<meta http-equiv=content-type>` in the first 4 KiB
  /// (WHATWG HTML §13.2.3.2).
  private static func declared(_ page: [UInt8]) -> String? {
    page.prefix(4096).withUnsafeBufferPointer { head in
      var tokeniser = HTMLTokeniser(head)
      while true {
        switch tokeniser.next() {
        case .startTag where tokeniser.name == meta:
          for attribute in tokeniser.attributes {
            let name = PackedName(head, attribute.name)
            let value = head[attribute.value].trimmed.string
            if name == charset { return value }
            if name == content, let label = TextDecoding.charset(inContentType: value) {
              return label
            }
          }
        case .unfinished, .end: return nil
        default: continue
        }
      }
    }
  }

  private static let meta = PackedName("meta")
  private static let charset = PackedName("charset")
  private static let content = PackedName("content")
}
