internal import TextRules

/// Finds the picture, film or frame that an element shows once the scripts of its page have run.
///
/// Pages that load pictures late put the address into another attribute, with nothing, a blank
/// picture, a turning wheel or a tiny preview in `src`.
struct PictureSource {
  /// The origin of an address, the best last.
  private enum Rank: Int {
    case placeholder, large, source, late, widths, lateWidths
  }
  private var best: (rank: Rank, address: [UInt8])?
  /// False for elements without `srcset`.
  var readsSets = true

  var address: [UInt8]? { best?.address }
  /// True without a better address than that of a placeholder.
  var isPlaceholder: Bool { best.map { $0.rank == .placeholder } ?? true }
  /// True if no script changes the address.
  var isFinal: Bool { best.map { $0.rank == .source || $0.rank == .widths } ?? false }

  /// The address in the attributes of an element; `nil` without any.
  static func address(in attributes: [(name: String, value: String)]) -> String? {
    var source = PictureSource()
    for (name, value) in attributes {
      source.offer(PackedName(name), name.utf8, resolve: { $0 }, value: { Array(value.utf8) })
    }
    return source.address?.string
  }

  /// Considers an attribute.
  /// - Parameters:
  ///   - resolve: returns the address to use; `nil` if it is not allowed.
  ///   - value: returns the attribute's value; called only if the name is that of an address.
  mutating func offer(
    _ name: PackedName, _ bytes: some Collection<UInt8>, resolve: ([UInt8]) -> [UInt8]?,
    value: () -> [UInt8]
  ) {
    guard var rank = Self.rank(of: name, bytes) else { return }
    var address = Array(value().trimmed)
    if rank == .widths || rank == .lateWidths {
      guard readsSets, let chosen = SourceSet.best(address) else { return }
      // Densities do not tell which pictures are large enough.
      if SourceSet.byWidth(address) == nil { rank = rank == .widths ? .large : .late }
      address = chosen
    }
    let isSource = rank == .source
    guard !Self.isEmbedded(address), isSource || Self.looksLikeAddress(address) else { return }
    if isSource, Self.isPlaceholder(address) { rank = .placeholder }
    if let best, best.rank.rawValue >= rank.rawValue { return }
    if let resolved = resolve(address) { best = (rank, resolved) }
  }

  /// False for templates ("photo_{width}.jpg"), flags and objects.
  private static func looksLikeAddress(_ text: [UInt8]) -> Bool {
    if text.contains(UInt8(ascii: "{")) { return false }
    return text.contains(UInt8(ascii: "/"))
      || zip(text, text.dropFirst()).contains { $0 == UInt8(ascii: ".") && $1.isLetter }
  }

  private static func isEmbedded(_ address: [UInt8]) -> Bool {
    let start = address.prefix(6).map(\.asciiLowercased).string
    return start.isEmpty || start.hasPrefix("data:") || start == "about:"
  }

  // MARK: Names

  /// Returns the rank of an attribute's addresses, `widths` or `lateWidths` for a set.
  private static func rank(of name: PackedName, _ bytes: some Collection<UInt8>) -> Rank? {
    if name == source { return .source }
    if name == sourceSet { return .widths }
    if late.contains(name) { return .late }
    if large.contains(name) { return .large }
    // Other names are "data-defer-src", "nitro-lazy-src", "data-lazy-image".
    guard bytes.count > 3, bytes.count <= 40 else { return nil }
    let text = bytes.map(\.asciiLowercased).string
    if previews.contains(where: text.holds) { return nil }
    if text.hasSuffix("srcset") || text.hasSuffix("original-set") { return .lateWidths }
    return text.hasSuffix("src") || text.holds("lazy") ? .late : nil
  }

  private static let source = PackedName("src")
  private static let sourceSet = PackedName("srcset")

  /// The attributes of jQuery Lazyload, Echo and Layzr, besides those named by the rule.
  private static let late = NameTable(["data-echo", "data-layzr", "data-normal", "data-original"])

  /// The attributes of versions for the whole screen, such as WordPress.com's originals, and of
  /// addresses that need not be those of pictures.
  private static let large = NameTable([
    "data-full-src", "data-hi-res-src", "data-image", "data-large-file", "data-large_image",
    "data-orig-file", "data-url", "data-zoom-src", "file", "zoomfile",
  ])

  private static let previews: [StaticString] = ["low", "placeholder", "preview", "small", "thumb"]

  /// True for the name of a picture that stands for another.
  private static func isPlaceholder(_ address: [UInt8]) -> Bool {
    let path = address.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let file = (path.split(separator: UInt8(ascii: "/")).last ?? []).map(\.asciiLowercased).string
    return placeholders.contains(where: file.holds)
  }

  private static let placeholders: [StaticString] = [
    "1x1", "blank.", "clear.gif", "grey.gif", "loader", "loading", "none.gif", "pixel.gif",
    "placeholder", "spacer", "spinner", "transparent",
  ]
}
