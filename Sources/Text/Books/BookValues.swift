import Foundation

/// Addresses and languages as books contain them.
enum BookValues {
  /// Returns a web or mail address with only the characters that RFC 3986 allows; `nil` for other
  /// schemes and for addresses that stay invalid.
  static func address(_ address: String) -> String? {
    let scheme = address.prefix { $0 != ":" }.lowercased()
    guard ["http", "https", "mailto"].contains(scheme) else { return nil }
    var (encoded, hasFragment) = ("", false)
    let bytes = Array(address.utf8)
    for (index, byte) in bytes.enumerated() {
      let isEscape =
        byte == UInt8(ascii: "%") && index + 2 < bytes.count && isHex(bytes[index + 1])
        && isHex(bytes[index + 2])
      let isFragment = byte == UInt8(ascii: "#") && !hasFragment
      if isFragment { hasFragment = true }
      if isEscape || isFragment || allowed.contains(byte) {
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        encoded += String(format: "%%%02X", byte)
      }
    }
    guard let url = URL(string: encoded) else { return nil }
    guard scheme != "mailto" else { return encoded }
    guard let host = url.host(percentEncoded: true), !host.isEmpty, !host.contains("%") else {
      return nil
    }
    return encoded
  }

  private static let allowed = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?@!$&'()*+,;=".utf8)

  private static func isHex(_ byte: UInt8) -> Bool {
    Unicode.Scalar(byte).properties.isASCIIHexDigit
  }

  /// True for a tag in the form of BCP 47.
  static func isLanguage(_ tag: String) -> Bool {
    let parts = tag.split(separator: "-", omittingEmptySubsequences: false)
    guard let first = parts.first, (2...3).contains(first.utf8.count),
      first.utf8.allSatisfy({ Unicode.Scalar($0).properties.isAlphabetic && $0 < 0x80 })
    else { return false }
    return parts.dropFirst().allSatisfy { part in
      (1...8).contains(part.utf8.count)
        && part.utf8.allSatisfy { byte in
          byte < 0x80 && (Unicode.Scalar(byte).properties.isAlphabetic || isDigit(byte))
        }
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
