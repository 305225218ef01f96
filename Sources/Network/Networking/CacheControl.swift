public import Foundation

/// Computes the freshness of an answer (RFC 9111, §4.2 and §5.2.2). Weir is a private cache and
/// ignores `s-maxage`.
public enum CacheControl {
  /// Returns the seconds of freshness from `now`; `nil` if the headers specify none.
  public static func freshFor(_ response: HTTPResponse, now: Date) -> Double? {
    var maxAge: Double?
    var isUncacheable = false
    for (name, value) in response.headers where name == "cache-control" {
      for directive in directives(value) {
        switch directive.name {
        case "no-cache", "no-store": isUncacheable = true
        case "max-age" where maxAge == nil:
          maxAge = directive.value.flatMap { DeltaSeconds.parse($0) }
        default: break
        }
      }
    }
    if isUncacheable { return 0 }
    let age = response.header("age").flatMap { DeltaSeconds.parse($0) } ?? 0
    if let maxAge { return max(0, maxAge - age) }
    guard let expires = response.header("expires") else { return nil }
    // An unreadable date means "already expired" (§5.3); "0" and "-1" are common.
    guard let until = HTTPDate.parse(expires, now: now) else { return 0 }
    let date = response.header("date").flatMap { HTTPDate.parse($0, now: now) } ?? now
    return max(0, until.timeIntervalSince(date) - age)
  }

  /// Returns the comma-separated directives, with names in lower case and without quotes.
  private static func directives(_ text: String) -> [(name: String, value: String?)] {
    var parts: [[UInt8]] = [[]]
    var isQuoted = false
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if byte == UInt8(ascii: ","), !isQuoted {
        parts.append([])
      } else {
        parts[parts.count - 1].append(byte)
      }
    }
    return parts.map { part in
      let pair = part.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.filter { $0 > 0x20 }, as: UTF8.self)
      }
      return (text(pair[0]).lowercased(), pair.count > 1 ? text(pair[1]) : nil)
    }
  }
}
