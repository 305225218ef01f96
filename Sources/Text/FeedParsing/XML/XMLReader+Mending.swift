// Closes elements whose end tags are missing. An element that feeds never nest, such as an item in
// an item, shows that an end tag is missing.

extension XMLReader {
  /// True if an item begins in an item, or in an element that cannot contain items, because an end
  /// tag is missing.
  var isMisplacedItem: Bool {
    guard startsItem else { return false }
    return switch frames[frames.count - 1].kind {
    case .children(let context): !context.holdsItems && (context == .item || !isInItem)
    case .text, .skip: !isInItem
    }
  }

  /// Closes the open elements that cannot contain the element of the last start tag.
  mutating func closeForgotten() {
    guard family != .outline else { return }
    if startsItem {
      let name = scanner.name
      if let outer = open.lastIndex(where: { same($0, name) }) {
        close(to: outer)
      } else if !isInItem, let holder = frames.lastIndex(where: { $0.holdsItems }) {
        close(to: holder)
      }
      return
    }
    while frames.count > 2, !frames[frames.count - 1].canContain(startedElement) {
      close(to: frames.count - 2)
    }
  }

  /// Closes open elements until `depth` of them are left. The depth of a frame is its index less
  /// one, because the first frame belongs to the document.
  private mutating func close(to depth: Int) {
    unlisted = 0
    while open.count > depth { endElement() }
  }

  private var isInItem: Bool {
    frames.contains {
      if case .children(.item) = $0.kind { true } else { false }
    }
  }

  /// True if the last start tag is an RSS `item` or Atom `entry`.
  private var startsItem: Bool {
    guard family != .outline else { return false }
    let name = scanner.name
    switch bytes[name.upperBound - 1] | 0x20 {
    case UInt8(ascii: "m"), UInt8(ascii: "y"): break
    default: return false
    }
    let local = local(name)
    guard matches(local, "item") || matches(local, "entry") else { return false }
    switch startedVocabulary(local) {
    case .core, .atom, .rdf: return true
    default: return false
    }
  }

  /// Returns the vocabulary of the new element, by the innermost default namespace.
  private func startedVocabulary(_ local: Range<Int>) -> Vocabulary {
    if local == scanner.name,
      let own = scanner.attributes.first(where: { matches($0.name, "xmlns") })
    {
      return Vocabulary(
        address: References.value(UnsafeBufferPointer(rebasing: bytes[own.value])))
    }
    return vocabulary(of: scanner.name, local: local, isAttribute: false)
  }

  private var startedElement: StartedElement {
    let local = local(scanner.name)
    return StartedElement(
      name: known(local), vocabulary: startedVocabulary(local),
      hasAttributes: !scanner.attributes.isEmpty)
  }
}

/// A new element before its interpretation.
private struct StartedElement {
  var name: Name
  var vocabulary: Vocabulary
  var hasAttributes: Bool
}

extension Context {
  var holdsItems: Bool { self == .document || self == .root || self == .feed }
}

extension XMLReader.Frame {
  fileprivate var holdsItems: Bool {
    if case .children(let context) = kind { context.holdsItems } else { false }
  }

  /// False if the new element belongs to the channel or item and is never inside this element. True
  /// in doubt, as extensions may contain anything.
  fileprivate func canContain(_ started: StartedElement) -> Bool {
    let isOwn = [.core, .atom, .rdf].contains(started.vocabulary)
    switch kind {
    case .text where element.name.isSingleValue:
      return started.name == element.name || !(isOwn ? started.name.isOfItem : started.isModule)
    case .text: return !(isOwn && (started.name.isOnlyOfItem || started.isBareLink))
    case .children(.person): return !(isOwn && started.name.isOfItem)
    case .children(.category):
      return started.name == .category || !(isOwn && started.name.isOfItem)
    case .children(.image), .children(.itemImage), .skip:
      return !(isOwn && started.name.isOnlyOfItem)
    case .children: return true
    }
  }
}

extension StartedElement {
  /// True for a module's element in a channel or item.
  fileprivate var isModule: Bool {
    switch vocabulary {
    case .content, .dublinCore, .dublinCoreTerms, .itunes, .media, .syndication: true
    default: false
    }
  }

  /// True for RSS's `<link>`; HTML's has attributes.
  fileprivate var isBareLink: Bool { name == .link && !hasAttributes }
}

extension Name {
  fileprivate var isSingleValue: Bool {
    switch self {
    case .title, .link, .guid, .id, .pubdate, .published, .updated, .modified, .issued, .created,
      .date, .author, .creator, .category, .comments, .language, .ttl, .managingeditor, .webmaster,
      .url, .name, .email, .uri, .subject, .keywords, .duration, .logo, .icon:
      true
    default: false
    }
  }

  /// True for elements that only a channel or item contains, and that HTML does not have.
  fileprivate var isOnlyOfItem: Bool {
    switch self {
    case .guid, .pubdate, .lastbuilddate, .language, .managingeditor, .webmaster, .enclosure,
      .comments, .ttl, .skiphours, .skipdays:
      true
    default: false
    }
  }

  /// True for elements that a short text or a person does not contain.
  fileprivate var isOfItem: Bool {
    switch self {
    case .title, .link, .id, .description, .summary, .content, .category, .author, .published,
      .updated, .image:
      true
    default: isOnlyOfItem
    }
  }
}
