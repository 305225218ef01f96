import CNcurses

/// Maps styles to ncurses attributes and colour pairs.
final class StyleTable {
  struct Entry: Equatable {
    var attributes: UInt8 = 0
    var pair: CInt = 0
  }
  private struct Pair: Hashable {
    var foreground: CInt
    var background: CInt
  }

  private let depth: ColorDepth
  private let colors = Int(weir_number("colors"))
  /// The most pairs; themes need some dozens. Redefining one makes ncurses search the screen.
  private let limit = min(weir_pairs(), 4096)
  private var entries: [Style: Entry] = [:]
  private var pairs: [Pair: CInt] = [:]
  /// True if a style lacked its colours because all pairs were used.
  private(set) var hasOverflowed = false

  init(depth: ColorDepth) { self.depth = depth }

  /// Allows redefining all pairs, which invalidates the screen.
  func reset() {
    entries = [:]
    pairs = [:]
    hasOverflowed = false
  }

  func entry(for style: Style) -> Entry {
    if let entry = entries[style] { return entry }
    let entry = makeEntry(for: style)
    entries[style] = entry
    return entry
  }

  private func makeEntry(for style: Style) -> Entry {
    var attributes = style.attributes
    var foreground = style.foreground.reduced(to: depth)
    var background = style.background.reduced(to: depth)
    if depth == .ansi16 && colors < 16 {
      let reduced = foreground.reducedToEight()
      if reduced.bold { attributes.insert(.bold) }
      foreground = reduced.color
      background = background.reducedToEight().color
    }
    let bits: [(Style.Attributes, weir_attribute)] = [
      (.bold, WEIR_BOLD), (.dim, WEIR_DIM), (.italic, WEIR_ITALIC), (.underline, WEIR_UNDERLINE),
      (.reverse, WEIR_REVERSE),
    ]
    var entry = Entry()
    for (attribute, bit) in bits where attributes.contains(attribute) {
      entry.attributes |= UInt8(bit.rawValue)
    }
    entry.pair = pair(
      Pair(foreground: Self.number(of: foreground), background: Self.number(of: background)))
    return entry
  }

  private func pair(_ colors: Pair) -> CInt {
    if limit == 0 || colors == Pair(foreground: -1, background: -1) { return 0 }
    if let pair = pairs[colors] { return pair }
    let pair = CInt(pairs.count + 1)
    guard pair < limit else {
      hasOverflowed = true
      return 0
    }
    pairs[colors] = pair
    weir_set_pair(pair, colors.foreground, colors.background)
    return pair
  }

  private static func number(of color: Color) -> CInt {
    switch color {
    case .default: -1
    case .palette(let index): CInt(index)
    case .rgb(let red, let green, let blue):
      1 << 24 | CInt(red) << 16 | CInt(green) << 8 | CInt(blue)
    }
  }
}
