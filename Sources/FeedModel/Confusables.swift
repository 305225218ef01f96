/// Addresses that may be taken for others: Cyrillic, Greek and a few more alphabets have letters
/// that look like Latin ones, and some characters cannot be seen.
public enum Confusables {
  /// The address as it is to be shown: where its host is written in more than one of those
  /// alphabets or with signs that look like slashes and dots, in the form that no eye mistakes,
  /// `xn--…` (after UTS #39, section 5.2), and what is
  /// invisible as `%E2%80%8B`. Scripts that look like no other may be mixed with Latin. What is
  /// opened or asked for stays as it is.
  public static func shown(_ address: String) -> String {
    guard address.utf8.contains(where: { $0 >= 0x80 }) else { return address }
    return marked(plain(address))
  }

  /// A host, as `shown(_:)` shows it in an address.
  public static func shown(host: String) -> String {
    guard mixes(host) else { return marked(host) }
    return Punycode.host(host) ?? marked(host)
  }

  private static func marked(_ address: String) -> String {
    address.unicodeScalars.reduce(into: "") { shown, scalar in
      let properties = scalar.properties
      if properties.isDefaultIgnorableCodePoint || properties.generalCategory == .format {
        for byte in String(scalar).utf8 { shown += "%" + String(byte, radix: 16, uppercase: true) }
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
  }

  private static func plain(_ address: String) -> String {
    var parsed = WebAddress(address)
    guard let host = parsed.host, mixes(host), let ascii = Punycode.host(host),
      let authority = parsed.authority
    else { return address }
    let user = parsed.userInfo.map { $0 + "@" } ?? ""
    // Only the port, if any, follows the last colon of what is no user.
    let name = authority.utf8.dropFirst(user.utf8.count)
    let port = name.lastIndex(of: UInt8(ascii: ":")).map { String(Substring(name[$0...])) } ?? ""
    parsed.authority = user + ascii + port
    return parsed.text
  }

  private enum Alphabet { case latin, greek, cyrillic, armenian, cherokee }

  private static func mixes(_ host: String) -> Bool {
    Set(host.unicodeScalars.compactMap(alphabet)).count > 1
      || host.unicodeScalars.contains { !$0.isASCII && !isOfWord($0) }
  }

  /// Letters, digits and their marks; other characters do not belong in a host. What cannot be seen
  /// is marked as such instead.
  private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .decimalNumber, .otherNumber, .letterNumber:
      true
    case .format: true
    default: scalar.properties.isEmoji || scalar.properties.isDefaultIgnorableCodePoint
    }
  }

  private static func alphabet(of scalar: Unicode.Scalar) -> Alphabet? {
    switch scalar.value {
    case 0x41...0x5A, 0x61...0x7A, 0xC0...0x2AF, 0x1E00...0x1EFF, 0x2C60...0x2C7F, 0xA720...0xA7FF,
      0xAB30...0xAB64, 0xFF21...0xFF5A:
      .latin
    case 0x370...0x3FF, 0x1F00...0x1FFF: .greek
    case 0x400...0x52F, 0x1C80...0x1C8F, 0x2DE0...0x2DFF, 0xA640...0xA69F: .cyrillic
    case 0x530...0x58F: .armenian
    case 0x13A0...0x13FF, 0xAB70...0xABBF: .cherokee
    default: nil
    }
  }
}
