import ArgumentParser
import Foundation

enum PackArguments {
  /// Parses "20M", "1.5G" or "800k", in powers of ten; bytes if there is no unit.
  @Sendable static func size(_ text: String) throws -> Int64 {
    var digits = text[...]
    if digits.last?.lowercased() == "b" { digits.removeLast() }
    let units: [String: Double] = ["k": 1e3, "m": 1e6, "g": 1e9]
    var unit = 1.0
    if let letter = digits.last?.lowercased(), let found = units[letter] {
      unit = found
      digits.removeLast()
    }
    guard let value = Double(digits), value.isFinite, value * unit >= 10_000, value * unit <= 1e12
    else { throw ValidationError("\u{201C}\(text)\u{201D} is not a size such as 20M or 1.5G.") }
    return Int64(value * unit)
  }
}
