/// Addresses that may be mistaken for others: some letters of other alphabets look like Latin ones,
/// and some characters are invisible.
public enum Confusables {
  /// The address for display. A host that mixes similar alphabets, or contains signs that look like
  /// slashes and dots, is written as `xn--…` (after UTS #39, section 5.2); invisible characters are
  /// written as `%E2%80%8B`. Other scripts may be mixed with Latin. Not for fetching.
  public static func shown(_ address: String) -> String {
    guard address.utf8.contains(where: { $0 >= 0x80 }) else { return address }
    return marked(plain(address))
  }

  /// A host in the form that `shown(_:)` gives it in an address.
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
    // The last colon after the user information can only precede a port.
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

  /// Accepts letters, digits, their marks, and invisible characters, which `marked` shows.
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
