/// ASCII replacements of the same width, for terminals without UTF-8.
package enum ASCIIFallback {
  /// - Parameter columns: 1 or 2, the width of the cluster and of its replacement.
  package static func text(for cluster: String, columns: Int) -> String {
    guard let first = cluster.unicodeScalars.first else { return "" }
    if first.isASCII && columns == 1 { return String(Character(first)) }
    let replacement = character(for: first.value)
    return String(repeating: replacement, count: columns)
  }

  private static func character(for value: UInt32) -> Character {
    if value >= 0xC0 && value < 0x250 {
      return Character(Unicode.Scalar(letters[Int(value) - 0xC0]))
    }
    return symbols[value] ?? box(value)
  }

  /// Lines, blocks, shapes and arrows.
  private static func box(_ value: UInt32) -> Character {
    switch value {
    case 0x2500, 0x2501, 0x2504, 0x2505, 0x2508, 0x2509, 0x254C, 0x254D, 0x2550: "-"
    case 0x2502, 0x2503, 0x2506, 0x2507, 0x250A, 0x250B, 0x254E, 0x254F, 0x2551: "|"
    case 0x250C...0x254B, 0x2552...0x2570: "+"
    case 0x2581...0x2588: levels[Int(value) - 0x2581]
    case 0x2580, 0x2589...0x2590: "#"
    case 0x2591...0x259F: ":"
    case 0x25A0...0x25FF: "*"
    case 0x2800: " "
    case 0x2801...0x28FF: ":"
    case 0x3000: " "
    default: "?"
    }
  }

  /// Eighths of a cell, ascending.
  private static let levels: [Character] = ["_", ".", ":", "-", "=", "+", "*", "#"]

  private static let symbols: [UInt32: Character] = [
    0xA0: " ", 0xA9: "c", 0xAB: "<", 0xAE: "r", 0xB0: "o", 0xB4: "'", 0xB7: ".", 0xBB: ">",
    0x2010: "-", 0x2011: "-", 0x2012: "-", 0x2013: "-", 0x2014: "-", 0x2015: "-", 0x2018: "'",
    0x2019: "'", 0x201A: ",", 0x201C: "\"", 0x201D: "\"", 0x201E: "\"", 0x2020: "+", 0x2022: "*",
    0x2023: ">", 0x2026: ".", 0x2032: "'", 0x2033: "\"", 0x2039: "<", 0x203A: ">", 0x2043: "-",
    0x20AC: "E", 0x2122: "t", 0x2190: "<", 0x2191: "^", 0x2192: ">", 0x2193: "v", 0x21B7: ">",
    0x21E7: "^", 0x2212: "-", 0x2215: "/", 0x2219: ".", 0x221A: "v", 0x2248: "~", 0x2260: "!",
    0x2261: "=", 0x2264: "<", 0x2265: ">", 0x22EE: ":", 0x22EF: ".", 0x23CE: "<", 0x23F8: "=",
    0x25B2: "^", 0x25B4: "^", 0x25B6: ">", 0x25B8: ">", 0x25BA: ">", 0x25BC: "v", 0x25BE: "v",
    0x25C0: "<", 0x25C2: "<", 0x25CB: "o", 0x25E6: "o", 0x2605: "*", 0x2606: "*", 0x2610: "_",
    0x2611: "x", 0x2713: "x", 0x2714: "x", 0x2717: "x", 0x2718: "x", 0x276F: ">", 0x27F3: "@",
    0xFFFD: "?",
  ]

  /// Letters for U+00C0…U+024F without their marks (Unicode's compatibility decompositions).
  private static let letters = Array(
    ("AAAAAAACEEEEIIIIDNOOOOOxOUUUUYTsaaaaaaaceeeeiiiidnooooo/ouuuuytyAaAaAaCcCcCcCcDd"
      + "DdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIiIiJjKkkLlLlLlLlLlNnNnNn?NnOoOoOoOoRrRrRrSsSsSs"
      + "SsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs??????????????????f?????????????Oo?????????????U"
      + "u???????????????????DDdLLlNNnAaIiOoUuUuUuUuUu?AaAa????GgKkOoOo??jDDdGg??NnAa????"
      + "AaAaEeEeIiIiOoOoRrRrUuUuSsTt??Hh??????AaEeOoOoOoOoYy????????????????????????????").utf8)
}
