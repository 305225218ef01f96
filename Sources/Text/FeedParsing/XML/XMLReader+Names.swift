internal import HTMLContent
internal import TextRules

/// A namespace declaration in scope.
struct NamespaceBinding {
  var prefix: PackedName
  var vocabulary: Vocabulary
  /// The number of open elements around the declaring one.
  var depth: Int
  /// True if the namespace of a module was declared as the default one of the whole document.
  var isGuest = false
}

extension XMLReader {
  func matches(_ name: Range<Int>, _ word: StaticString) -> Bool {
    UnsafeBufferPointer(rebasing: bytes[name]).matches(word)
  }

  func same(_ a: Range<Int>, _ b: Range<Int>) -> Bool {
    guard a.count == b.count else { return false }
    for offset in 0..<a.count {
      let (first, second) = (bytes[a.lowerBound + offset], bytes[b.lowerBound + offset])
      if first != second, first.asciiLowercased != second.asciiLowercased { return false }
    }
    return true
  }

  /// The name without its prefix.
  func local(_ name: Range<Int>) -> Range<Int> {
    for index in name where bytes[index] == UInt8(ascii: ":") {
      return (index + 1)..<name.upperBound
    }
    return name
  }

  func known(_ local: Range<Int>) -> Name {
    names[PackedName(bytes, local)] ?? .unknown
  }

  func vocabulary(of name: Range<Int>, local: Range<Int>, isAttribute: Bool) -> Vocabulary {
    if name == local {
      if isAttribute { return .core }
      guard let binding = bindings.last(where: { $0.prefix == PackedName() }) else { return .core }
      if binding.isGuest, family.defines(known(local)) { return .core }
      return binding.vocabulary
    }
    let range = name.lowerBound..<(local.lowerBound - 1)
    let prefix = PackedName(bytes, range)
    if let binding = bindings.last(where: { $0.prefix == prefix }) { return binding.vocabulary }
    return Vocabulary(undeclaredPrefix: bytes[range].string)
  }

  /// Reads `xmlns="…"` and `xmlns:prefix="…"` of the tag.
  mutating func declareNamespaces() {
    for attribute in scanner.attributes {
      let name = attribute.name
      guard bytes[name].starts(with: "xmlns".utf8), bindings.count < XMLLimits.maximumNamespaces
      else { continue }
      var prefix = PackedName()
      if name.count > 5 {
        guard name.count > 6, bytes[name.lowerBound + 5] == UInt8(ascii: ":") else { continue }
        prefix = PackedName(bytes, (name.lowerBound + 6)..<name.upperBound)
      }
      let address = References.value(UnsafeBufferPointer(rebasing: bytes[attribute.value]))
      var binding = NamespaceBinding(
        prefix: prefix, vocabulary: Vocabulary(address: address), depth: open.count - 1)
      if let own, own.namespace == address { binding.vocabulary = own.vocabulary }
      if binding.vocabulary == .other {
        let usual = Vocabulary(undeclaredPrefix: bytes[name.dropFirst(6)].string)
        if Vocabulary.modules.contains(usual) { binding.vocabulary = usual }
      }
      if prefix == PackedName(), !family.isOwn(binding.vocabulary),
        open.count == 1 || family.isStructure(known(local(scanner.name)))
      {
        if binding.vocabulary == .other { binding.vocabulary = family.vocabulary }
        binding.isGuest = true
      }
      bindings.append(binding)
    }
  }

  /// Returns the element of the last tag.
  func element() -> XMLElement {
    let parent = frames[frames.count - 1].element
    let local = local(scanner.name)
    var element = XMLElement(
      vocabulary: vocabulary(of: scanner.name, local: local, isAttribute: false),
      name: known(local), attributes: [], base: parent.base, language: parent.language)
    for attribute in scanner.attributes {
      let local = self.local(attribute.name)
      let name = known(local)
      guard name != .unknown else { continue }
      let vocabulary = vocabulary(of: attribute.name, local: local, isAttribute: true)
      let value = References.value(UnsafeBufferPointer(rebasing: bytes[attribute.value]))
      if vocabulary == .xml {
        if name == .base { element.base = element.base.moved(to: value) }
        if name == .lang, let language = PlainText.read(value, isHTML: false, limit: 64) {
          element.language = language
        }
      }
      element.attributes.append(XMLAttribute(vocabulary: vocabulary, name: name, value: value))
    }
    return element
  }
}
