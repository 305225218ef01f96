import Foundation

/// Converts internationalised host names to ASCII (RFC 3492, mapping of RFC 5895). libcurl reads
/// names in the locale's encoding, which cron sets to ASCII.
public enum Punycode {
  /// Returns the name in ASCII; `nil` if it already is, or cannot be converted.
  public static func host(_ name: String) -> String? {
    guard name.utf8.contains(where: { $0 >= 0x80 }) else { return nil }
    let dots: Set<Unicode.Scalar> = [".", "\u{3002}", "\u{FF0E}", "\u{FF61}"]
    let mapped = name.lowercased().precomposedStringWithCompatibilityMapping
    // UTS #46 removes invisible characters; the two joiners are letters of some scripts.
    let visible = mapped.unicodeScalars.filter {
      !$0.properties.isDefaultIgnorableCodePoint || $0 == "\u{200C}" || $0 == "\u{200D}"
    }
    let labels = visible.split(omittingEmptySubsequences: false) { dots.contains($0) }
    var out: [String] = []
    for label in labels {
      if label.allSatisfy(\.isASCII) {
        out.append(String(String.UnicodeScalarView(label)))
      } else {
        guard let encoded = encode(label.map(\.value)) else { return nil }
        out.append("xn--" + encoded)
      }
    }
    return out.joined(separator: ".")
  }

  /// Encodes a label (RFC 3492, §6.3, with the parameters of §5).
  static func encode(_ input: [UInt32]) -> String? {
    // A label holds at most 63 bytes, so more than 63 scalars never fit.
    guard input.count <= 63 else { return nil }
    var output = input.filter { $0 < 0x80 }.map { UInt8($0) }
    let basic = output.count
    if basic > 0 { output.append(UInt8(ascii: "-")) }
    var (n, delta, bias, handled) = (128, 0, 72, basic)
    while handled < input.count {
      guard let next = input.map({ Int($0) }).filter({ $0 >= n }).min() else { return nil }
      delta += (next - n) * (handled + 1)
      n = next
      for scalar in input {
        if Int(scalar) < n { delta += 1 }
        guard Int(scalar) == n else { continue }
        var q = delta
        var k = 36
        while true {
          let t = max(1, min(26, k - bias))
          if q < t { break }
          output.append(digit(t + (q - t) % (36 - t)))
          q = (q - t) / (36 - t)
          k += 36
        }
        output.append(digit(q))
        bias = adapt(delta, count: handled + 1, isFirst: handled == basic)
        delta = 0
        handled += 1
      }
      delta += 1
      n += 1
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func digit(_ value: Int) -> UInt8 { UInt8(value < 26 ? value + 97 : value + 22) }

  private static func adapt(_ delta: Int, count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / count
    var k = 0
    while delta > 455 {
      delta /= 35
      k += 36
    }
    return k + 36 * delta / (delta + 38)
  }
}
