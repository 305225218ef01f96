internal import FeedModel
import Foundation

/// Names of time zones: RFC 822, those of Windows and JavaScript in words, those of the IANA
/// database, and others used by feeds.
enum Zones {
  /// Returns seconds east of Greenwich; `word` is in lower case.
  static func offset(_ word: [UInt8]) -> Int? {
    guard word.count >= 1, word.count <= 5 else { return nil }
    return table[String(decoding: word, as: UTF8.self)].map { Int($0 * 3600) }
  }

  private static let table: [String: Double] = [
    "ut": 0, "utc": 0, "gmt": 0, "z": 0, "wet": 0, "west": 1, "bst": 1, "ist": 5.5,
    "cet": 1, "cest": 2, "met": 1, "mest": 2, "mez": 1, "mesz": 2, "eet": 2, "eest": 3,
    "msk": 3, "msd": 4, "sast": 2, "pkt": 5, "wib": 7, "ict": 7, "sgt": 8, "hkt": 8, "awst": 8,
    "jst": 9, "kst": 9, "acst": 9.5, "acdt": 10.5, "aest": 10, "aedt": 11, "nzst": 12,
    "nzdt": 13, "nst": -3.5, "ndt": -2.5, "brt": -3, "art": -3, "ast": -4, "adt": -3,
    "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7,
    "akst": -9, "akdt": -8, "hst": -10,
    // Names that do not mention summer time mean standard time.
    "at": -4, "et": -5, "ct": -6, "mt": -7, "pt": -8,
    // In words, as Windows and Unicode CLDR write them in English.
    "hawaiian": -10, "hawaii aleutian": -10, "aleutian": -10, "alaskan": -9, "alaska": -9,
    "pacific": -8, "mountain": -7, "us mountain": -7, "central": -6, "canada central": -6,
    "central america": -6, "eastern": -5, "us eastern": -5, "sa pacific": -5, "cuba": -5,
    "atlantic": -4, "sa western": -4, "newfoundland": -3.5, "argentina": -3, "brasilia": -3,
    "e south america": -3, "sa eastern": -3, "greenwich": 0, "coordinated": 0, "british": 0,
    "western european": 0, "w europe": 1, "central europe": 1, "central european": 1, "romance": 1,
    "w central africa": 1, "west africa": 1, "e europe": 2, "eastern european": 2, "gtb": 2,
    "fle": 2, "south africa": 2, "israel": 2, "egypt": 2, "central africa": 2, "russian": 3,
    "moscow": 3, "turkey": 3, "arab": 3, "arabic": 3, "e africa": 3, "east africa": 3, "iran": 3.5,
    "arabian": 4, "gulf": 4, "pakistan": 5, "west asia": 5, "india": 5.5, "sri lanka": 5.5,
    "nepal": 5.75, "bangladesh": 6, "central asia": 6, "myanmar": 6.5, "se asia": 7,
    "indochina": 7, "western indonesia": 7, "china": 8, "singapore": 8, "hong kong": 8,
    "taipei": 8, "philippine": 8, "w australia": 8, "australian western": 8, "tokyo": 9,
    "japan": 9, "korea": 9, "korean": 9, "aus central": 9.5, "cen australia": 9.5,
    "australian central": 9.5, "aus eastern": 10, "australian eastern": 10, "e australia": 10,
    "tasmania": 10, "new zealand": 12,
  ]

  /// Reads `Eastern Daylight Time` at the beginning of `bytes`. A name that does not mention summer
  /// means standard time.
  static func phrase(_ bytes: ArraySlice<UInt8>) -> (length: Int, offset: Int)? {
    let letters = bytes.prefix { $0.isLetter || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ".") }
    let words = letters.split { !$0.isLetter }.prefix(6)
    var name = words.map { String(decoding: $0.map(\.asciiLowercased), as: UTF8.self) }
    guard let end = name.firstIndex(of: "time"), end > 0 else { return nil }
    name = Array(name[..<end])
    let summer: Double = ["daylight", "summer"].contains(name.last) ? 1 : 0
    if ["daylight", "summer", "standard", "mean", "universal"].contains(name.last) {
      name.removeLast()
    }
    return table[name.joined(separator: " ")].map {
      (words[end].endIndex - bytes.startIndex, Int(($0 + summer) * 3600))
    }
  }

  /// Reads `Europe/Berlin` at the beginning of `bytes`.
  static func region(_ bytes: ArraySlice<UInt8>) -> (length: Int, zone: TimeZone)? {
    let name = bytes.prefix(40).prefix { $0.isLetter || $0.isDigit || "/_-+".utf8.contains($0) }
    guard name.contains(UInt8(ascii: "/")) else { return nil }
    return TimeZone(identifier: name.string).map { (name.count, $0) }
  }
}
