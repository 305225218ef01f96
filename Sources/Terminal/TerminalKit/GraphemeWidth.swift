/// The columns of a grapheme cluster (UAX #11, UAX #29, UTS #51).
///
/// Terminals disagree about clusters of several scalars: some add up wcwidth(3), some know emoji
/// sequences. Screens use these widths; the cursor is corrected after each cluster that
/// `isUncertain` (see `NcursesTerminal`).
public enum GraphemeWidth {
  /// The most combining marks kept on one base.
  public static let combiningLimit = 4

  /// Returns 0, 1 or 2 columns; 0 for controls and marks without a base.
  public static func width(of cluster: Character) -> Int {
    if cluster.utf8.count == 1, let ascii = cluster.utf8.first {
      return ascii >= 0x20 && ascii < 0x7F ? 1 : 0
    }
    return width(ofCluster: cluster.unicodeScalars)
  }

  public static func width(of text: String) -> Int {
    let ascii = text.utf8.withContiguousStorageIfAvailable { bytes -> Int? in
      var columns = 0
      for byte in bytes {
        if byte >= 0x80 { return nil }
        if byte >= 0x20 && byte < 0x7F { columns += 1 }
      }
      return columns
    }
    if let ascii, let columns = ascii { return columns }
    return text.reduce(0) { $0 + width(of: $1) }
  }

  /// Returns true if terminals differ about the width: clusters of several scalars other than a
  /// base with plain combining marks, and all emoji, which grow each year.
  public static func isUncertain(_ cluster: String) -> Bool {
    if cluster.utf8.count <= 2 { return false }
    var columns = 0
    var first = true
    for scalar in cluster.unicodeScalars {
      let value = scalar.value
      switch value {
      case 0..<0x300: if !first { return true }
      case 0x200D, 0xFE0E, 0xFE0F, 0x20E3: return true
      case 0x1160...0x11FF, 0xD7B0...0xD7FB: return true
      case 0x2300..<0x2C00: if wideByTable(value) { return true }
      case 0x1F000..<0x20000: return true
      default: break
      }
      let width = width(of: scalar)
      if !first && width > 0 { return true }
      columns += width
      first = false
    }
    return columns > 2
  }

  static func width(of scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x20 || (value >= 0x7F && value < 0xA0) { return 0 }
    if value < 0x300 { return value == 0xAD ? 0 : 1 }
    if contains(value, in: GraphemeWidthTables.zero) { return 0 }
    return wideByTable(value) ? 2 : 1
  }

  private static func width(ofCluster scalars: Character.UnicodeScalarView) -> Int {
    guard let base = scalars.first else { return 0 }
    let baseWidth = width(of: base)
    if isRegionalIndicator(base.value) {
      // A pair is a flag; a single indicator is a neutral letter.
      return scalars.dropFirst().first.map { isRegionalIndicator($0.value) } == true ? 2 : 1
    }
    if baseWidth == 0 { return 0 }
    var columns = baseWidth
    for scalar in scalars.dropFirst() {
      switch scalar.value {
      case 0xFE0F where base.properties.isEmoji: return 2
      // Emoji that are joined or have a skin tone form one picture, conjoined syllables one block.
      // Digits are emoji by property, but are never joined.
      case 0x200D where base.value > 0xFF && base.properties.isEmoji: return 2
      case 0x1F3FB...0x1F3FF: return 2
      case 0x1100...0x11FF, 0xA960...0xA97C, 0xD7B0...0xD7FB: break
      default: columns += width(of: scalar)
      }
    }
    return min(columns, 2)
  }

  private static func isRegionalIndicator(_ value: UInt32) -> Bool {
    value >= 0x1F1E6 && value <= 0x1F1FF
  }

  private static func wideByTable(_ value: UInt32) -> Bool {
    contains(value, in: GraphemeWidthTables.wide)
  }

  /// Searches ascending pairs of first and last scalars.
  private static func contains(_ value: UInt32, in ranges: [UInt32]) -> Bool {
    var low = 0
    var high = ranges.count / 2
    while low < high {
      let middle = (low + high) / 2
      if value < ranges[2 * middle] {
        high = middle
      } else if value > ranges[2 * middle + 1] {
        low = middle + 1
      } else {
        return true
      }
    }
    return false
  }
}
