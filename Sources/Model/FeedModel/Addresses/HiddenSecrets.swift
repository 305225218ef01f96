/// Hides credentials in addresses: `user:password@`, and values of parameters such as `token=`. Not
/// for addresses to fetch.
public enum HiddenSecrets {
  /// Replaces secrets in the addresses of a text with `***`.
  public static func inText(_ text: String) -> String {
    let bytes = Array(text.utf8)
    guard bytes.contains(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "@") }) else {
      return text
    }
    return String(decoding: withoutParameters(withoutUsers(bytes)), as: UTF8.self)
  }

  /// The address for display, without `user:password@` and with `***` for secret parameters.
  public static func name(of address: String) -> String {
    inText(WebAddress.withoutUserInfo(address))
  }

  private static func withoutUsers(_ text: [UInt8]) -> [UInt8] {
    var bytes = text
    var index = 0
    while index + 3 <= bytes.count {
      guard bytes[index..<(index + 3)].elementsEqual("://".utf8) else {
        index += 1
        continue
      }
      let start = index + 3
      let end =
        bytes[start...].firstIndex { $0 <= 0x20 || "/?#\"'<>".utf8.contains($0) } ?? bytes.count
      if let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")) {
        bytes.replaceSubrange(start..<at, with: "***".utf8)
      }
      index = start
    }
    return bytes
  }

  private static func withoutParameters(_ bytes: [UInt8]) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      out.append(bytes[index])
      let isStart = "?&;#".utf8.contains(bytes[index])
      index += 1
      guard isStart, let equals = bytes[index...].firstIndex(where: { !isOfName($0) }),
        bytes[equals] == UInt8(ascii: "="), isSecret(bytes[index..<equals])
      else { continue }
      out += bytes[index...equals]
      index =
        bytes[equals...].firstIndex { $0 <= 0x20 || "&;#\"'<>".utf8.contains($0) } ?? bytes.count
      if index > equals + 1 { out += "***".utf8 }
    }
    return out
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      || "_-.[]%".utf8.contains(byte)
  }

  private static func isSecret(_ name: ArraySlice<UInt8>) -> Bool {
    let name = String(decoding: name, as: UTF8.self).lowercased()
    return endings.contains { name.hasSuffix($0) } || names.contains(name)
  }

  /// Suffixes of names such as `access_token`, `X-Amz-Signature`, `apikey`.
  private static let endings = [
    "token", "key", "auth", "sig", "signature", "secret", "password", "passwd", "pwd", "session",
    "sessionid", "jwt", "credential",
  ]
  private static let names: Set<String> = ["pass", "sid", "authorization", "hmac"]
}

/// A password that prints as three stars in logs, messages and crash reports.
public struct Password: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  public let text: String

  public init(_ text: String) { self.text = text }

  public var description: String { "***" }
  public var debugDescription: String { description }
  /// Hides the text from `dump`.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
