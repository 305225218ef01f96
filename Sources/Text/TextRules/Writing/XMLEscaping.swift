/// Writes texts into XML 1.0 documents.
package enum XMLEscaping {
  /// Escapes a text for the content of an element or for an attribute in double quotes, and removes
  /// characters that XML cannot contain (§2.2).
  /// - Parameter isAttribute: true to write line breaks and tabs as references, because parsers
  ///   replace them by spaces in attributes (§3.3.3).
  package static func escaped(_ text: String, isAttribute: Bool = false) -> String {
    var escaped = String.UnicodeScalarView()
    func append(_ reference: String) { escaped.append(contentsOf: reference.unicodeScalars) }
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": append("&amp;")
      case "<": append("&lt;")
      case ">": append("&gt;")
      case "\"": append("&quot;")
      case "\n" where isAttribute: append("&#10;")
      case "\r" where isAttribute: append("&#13;")
      case "\t" where isAttribute: append("&#9;")
      case "\t", "\n", "\r", "\u{20}"..."\u{FFFD}", "\u{10000}"...: escaped.append(scalar)
      default: continue
      }
    }
    return String(escaped)
  }
}
