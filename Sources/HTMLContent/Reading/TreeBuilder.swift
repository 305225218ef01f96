/// Events → a tree, for those who need to look around in it.
struct TreeBuilder: HTMLSink {
  private struct Level {
    var element: HTMLElement
    var pending: [UInt8] = []
  }
  private var levels = [Level(element: HTMLElement(name: ""))]
  private var value = HTMLWriter()

  /// Attributes kept of one element.
  private static let maximumAttributes = 64

  func finished() -> [HTMLNode] {
    var level = levels[0]
    Self.flush(&level)
    return level.element.children
  }

  func disposition(of tag: HTMLTag, _ tokeniser: borrowing HTMLTokeniser) -> HTMLDisposition {
    .keep(tag)
  }

  mutating func empty(_ tag: HTMLTag, _ tokeniser: borrowing HTMLTokeniser) {
    let element = element(tag, tokeniser)
    append(.element(element))
  }

  mutating func open(_ tag: HTMLTag, _ tokeniser: borrowing HTMLTokeniser) {
    levels.append(Level(element: element(tag, tokeniser)))
  }

  mutating func reopen(_ tag: HTMLTag) {
    levels.append(Level(element: HTMLElement(name: tag.name)))
  }

  mutating func close(_ tag: HTMLTag) {
    guard levels.count > 1, var level = levels.popLast() else { return }
    Self.flush(&level)
    append(.element(level.element))
  }

  mutating func text(_ range: Range<Int>, decodes: Bool, _ tokeniser: borrowing HTMLTokeniser) {
    value.out.removeAll(keepingCapacity: true)
    swap(&value.out, &levels[levels.count - 1].pending)
    value.write(tokeniser.bytes, range, decodes: decodes, escaping: .none)
    swap(&value.out, &levels[levels.count - 1].pending)
  }

  private mutating func append(_ node: HTMLNode) {
    let last = levels.count - 1
    Self.flush(&levels[last])
    levels[last].element.children.append(node)
  }

  private static func flush(_ level: inout Level) {
    guard !level.pending.isEmpty else { return }
    level.element.children.append(.text(String(decoding: level.pending, as: UTF8.self)))
    level.pending.removeAll()
  }

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
    }
    return element
  }

  private func lowercased(_ range: Range<Int>, _ tokeniser: borrowing HTMLTokeniser) -> String {
    String(decoding: tokeniser.bytes[range].lazy.map(ASCII.lowercased), as: UTF8.self)
  }
}
