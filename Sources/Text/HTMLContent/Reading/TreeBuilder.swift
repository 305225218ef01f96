internal import TextRules

/// Builds a tree from events, or its parts as they become complete.
struct TreeBuilder: HTMLSink {
  private struct Level {
    var element: HTMLElement
    var pending: [UInt8] = []
    /// The byte limit for reading the element whole; 0 if it is not held.
    var heldUpTo = 0
  }
  private var levels = [Level(element: HTMLElement(name: ""))]
  private var value = HTMLWriter()

  // State for reading parts.

  /// The number of outermost open elements already returned.
  private var handedOver = 0
  private var parts: [HTMLPart] = []
  private var nextPart = 0
  /// Approximate bytes of the elements not yet returned.
  private var heldSize = 0
  /// Number of open `HTMLStream.heldElements` and lists of terms not yet returned.
  private var heldCount = 0
  private var heldTerms = 0
  /// Text of the innermost element that is not in the tree yet.
  private var backlog = 0..<0
  private var backlogDecodes = false
  private var backlogBytes = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  private let handsOver: Bool

  private static let maximumAttributes = 64
  /// Cost of a node besides its bytes.
  private static let nodeSize = 64

  init() { handsOver = false }

  private init(handsOver: Bool) {
    self.handsOver = handsOver
    handedOver = 1
  }

  static var ofParts: TreeBuilder { TreeBuilder(handsOver: true) }

  func finished() -> [HTMLNode] {
    var level = levels[0]
    if let node = Self.flush(&level) { level.element.children.append(node) }
    return level.element.children
  }

  // MARK: Events

  func disposition(of tag: HTMLTag, _ tokeniser: borrowing HTMLTokeniser) -> HTMLDisposition {
    .keep(tag)
  }

  mutating func empty(_ tag: HTMLTag, _ tokeniser: borrowing HTMLTokeniser) {
    let element = element(tag, tokeniser)
    append(.element(element))
  }

  mutating func open(_ tag: HTMLTag, _ tokeniser: borrowing HTMLTokeniser) {
    open(element(tag, tokeniser))
  }

  mutating func reopen(_ tag: HTMLTag) { open(HTMLElement(name: tag.name)) }

  private mutating func open(_ element: HTMLElement) {
    while readBacklog() {}
    var level = Level(element: element)
    if handsOver, HTMLStream.heldElements.contains(element.name) {
      level.heldUpTo = HTMLStream.mostHeld
      heldCount += 1
    } else if handsOver, element.name == "dl" {
      level.heldUpTo = HTMLStream.mostTermsHeld
      heldTerms += 1
    }
    heldSize += Self.nodeSize
    levels.append(level)
  }

  mutating func close(_ tag: HTMLTag) {
    // Adds the rest of the text before the element ends.
    while readBacklog() {}
    guard levels.count > 1, var level = levels.popLast() else { return }
    let node = Self.flush(&level)
    if levels.count < handedOver {
      if let node { parts.append(.node(node)) }
      parts.append(.close)
      handedOver = levels.count
    } else {
      if let node { level.element.children.append(node) }
      if level.heldUpTo == HTMLStream.mostHeld { heldCount -= 1 }
      if level.heldUpTo == HTMLStream.mostTermsHeld { heldTerms -= 1 }
      append(.element(level.element))
    }
  }

  mutating func text(_ range: Range<Int>, decodes: Bool, _ tokeniser: borrowing HTMLTokeniser) {
    while readBacklog() {}
    guard handsOver, range.count > HTMLStream.textPiece else {
      write(range, decodes: decodes, tokeniser.bytes)
      return
    }
    (backlog, backlogDecodes, backlogBytes) = (range, decodes, tokeniser.bytes)
  }

  private mutating func write(
    _ range: Range<Int>, decodes: Bool, _ bytes: UnsafeBufferPointer<UInt8>
  ) {
    let last = levels.count - 1
    heldSize += range.count
    value.out.removeAll(keepingCapacity: true)
    swap(&value.out, &levels[last].pending)
    value.write(bytes, range, decodes: decodes, escaping: .none)
    swap(&value.out, &levels[last].pending)
  }

  private mutating func append(_ node: HTMLNode) {
    while readBacklog() {}
    let last = levels.count - 1
    let text = Self.flush(&levels[last])
    if last < handedOver {
      if let text { parts.append(.node(text)) }
      parts.append(.node(node))
    } else {
      if let text { levels[last].element.children.append(text) }
      levels[last].element.children.append(node)
      heldSize += Self.nodeSize
    }
  }

  /// Returns the collected text.
  private static func flush(_ level: inout Level) -> HTMLNode? {
    guard !level.pending.isEmpty else { return nil }
    defer { level.pending.removeAll() }
    return .text(String(decoding: level.pending, as: UTF8.self))
  }

  // MARK: Parts

  mutating func popPart() -> HTMLPart? {
    guard nextPart < parts.count else { return nil }
    defer {
      nextPart += 1
      if nextPart == parts.count {
        parts.removeAll(keepingCapacity: true)
        nextPart = 0
      }
    }
    return parts[nextPart]
  }

  /// Continues a long text. Returns false if nothing remains.
  mutating func readBacklog() -> Bool {
    guard !backlog.isEmpty else { return false }
    let end = HTMLStream.endOfPiece(backlogBytes, backlog)
    write(backlog.lowerBound..<end, decodes: backlogDecodes, backlogBytes)
    backlog = end..<backlog.upperBound
    return true
  }

  var backlogCount: Int { backlog.count }

  /// Moves large content to `parts`. Elements that are otherwise read whole are divided only if
  /// they are very large.
  mutating func handOver() {
    if levels.count == handedOver { heldSize = levels[levels.count - 1].pending.count }
    guard heldSize > mostHeld else { return }
    for index in handedOver..<levels.count {
      // The text before the element in its parent comes first.
      if let text = Self.flush(&levels[index - 1]) { parts.append(.node(text)) }
      parts.append(.open(levels[index].element))
      levels[index].element.children = []
      levels[index].heldUpTo = 0
    }
    handedOver = levels.count
    if let text = Self.flush(&levels[handedOver - 1]) { parts.append(.node(text)) }
    heldCount = 0
    heldTerms = 0
    heldSize = 0
  }

  private var mostHeld: Int {
    if heldCount > 0 { return HTMLStream.mostHeld }
    return heldTerms > 0 ? HTMLStream.mostTermsHeld : HTMLStream.textPiece
  }

  /// Moves the text at the end of the document to `parts`.
  mutating func handOverRest() {
    if let text = Self.flush(&levels[0]) { parts.append(.node(text)) }
  }

  // MARK: Elements

  private mutating func element(
    _ tag: HTMLTag, _ tokeniser: borrowing HTMLTokeniser
  ) -> HTMLElement {
    var element = HTMLElement(
      name: tag == .unknown ? lowercased(tokeniser.nameRange, tokeniser) : tag.name)
    for index in tokeniser.attributes.indices.prefix(Self.maximumAttributes) {
      let attribute = tokeniser.attributes[index]
      let name = lowercased(attribute.name, tokeniser)
      guard element[name] == nil else { continue }
      value.out.removeAll(keepingCapacity: true)
      value.write(
        tokeniser.bytes, attribute.value, decodes: true, escaping: .none, inAttribute: true)
      element.attributes.append((name, String(decoding: value.out, as: UTF8.self)))
      heldSize += value.out.count
    }
    return element
  }

  private func lowercased(_ range: Range<Int>, _ tokeniser: borrowing HTMLTokeniser) -> String {
    let name = UnsafeBufferPointer(rebasing: tokeniser.bytes[range])
    return name.allSatisfy { $0 == $0.asciiLowercased }
      ? name.string : name.map(\.asciiLowercased).string
  }
}
