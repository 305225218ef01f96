internal import TextRules

/// Chooses one of the pictures of a `srcset` (HTML, §4.8.4.2.1).
enum SourceSet {
  /// The rank of a picture, the best first: wide enough, too narrow, of a density.
  private typealias Rank = (kind: Int, distance: Double)

  /// The preferred width of a picture in pixels: enough to fill the width of a text. Wider pictures
  /// cost more to fetch.
  private static let wanted = 1_000

  /// Returns the address of the narrowest picture that is wide enough, or else of the widest; `nil`
  /// if no candidate has a width.
  static func byWidth(_ value: [UInt8]) -> [UInt8]? {
    guard let best = chosen(value), best.rank.kind < 2 else { return nil }
    return best.address
  }

  /// Returns the address that `byWidth` chooses, or else the address whose density is nearest to 1;
  /// `nil` without candidates.
  static func best(_ value: [UInt8]) -> [UInt8]? { chosen(value)?.address }

  private static func chosen(_ value: [UInt8]) -> (address: [UInt8], rank: Rank)? {
    candidates(value).min { $0.rank < $1.rank }
  }

  /// Maximum number of candidates that are read.
  private static let most = 50

  private static func candidates(_ value: [UInt8]) -> [(address: [UInt8], rank: Rank)] {
    var found: [(address: [UInt8], rank: Rank)] = []
    var rest = value[...]
    let comma = UInt8(ascii: ",")
    while found.count < most {
      rest = rest.drop { $0.isSpace || $0 == comma }
      // Addresses may contain commas, so white space ends them.
      var address = rest.prefix { !$0.isSpace }
      if address.isEmpty { return found }
      rest = rest[address.endIndex...]
      let endsHere = address.last == comma
      while address.last == comma { address.removeLast() }
      if endsHere {
        found.append((Array(address), (2, 0)))
        continue
      }
      let description = rest.prefix { $0 != comma }
      rest = rest[description.endIndex...]
      if let rank = rank(description) { found.append((Array(address), rank)) }
    }
    return found
  }

  /// Parses a width or a density, which is 1 if none is given; `nil` for any other description.
  private static func rank(_ description: ArraySlice<UInt8>) -> Rank? {
    var rank: Rank = (2, 0)
    for part in description.split(whereSeparator: \.isSpace) {
      let number = String(decoding: part.dropLast(), as: UTF8.self)
      switch part.last {
      case UInt8(ascii: "w"):
        guard let width = Int(number), width > 0 else { return nil }
        rank = width < wanted ? (1, -Double(width)) : (0, Double(width))
      case UInt8(ascii: "x"):
        guard let density = Double(number), density > 0, density.isFinite else { return nil }
        rank = (2, abs(density - 1))
      case UInt8(ascii: "h"): continue
      default: return nil
      }
    }
    return rank
  }
}
