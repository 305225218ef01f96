internal import FeedModel

/// The address that relative references resolve against, parsed once.
final class Base {
  /// nil if nothing is known: references stay as they are.
  let address: WebAddress?
  /// Set by the document itself (`xml:base`), so that it is the same wherever that came from.
  let isDeclared: Bool
  var text: String? { known?.text }
  /// nil if nothing is known and nothing can be assumed.
  /// Used where nothing else is known: the page that the feed says it belongs to.
  private var assumed: WebAddress?
  var known: WebAddress? { address ?? assumed }

  init(_ text: String?, isDeclared: Bool = false) {
    self.isDeclared = isDeclared
    let parsed = text.map { WebAddress($0) }
    address = parsed?.scheme == nil ? nil : parsed
  }

  /// Takes the first absolute address for want of a base.
  func assume(_ text: String?) {
    guard address == nil, assumed == nil, let text else { return }
    let candidate = WebAddress(text)
    if candidate.isHTTP { assumed = candidate }
  }

  /// The base that an `xml:base` attribute sets (XML Base, §4.2): itself relative to the one
  /// around.
  func moved(to reference: String) -> Base {
    guard let reference = Values.clean(reference) else { return self }
    guard let address = known else { return Base(reference, isDeclared: true) }
    let target = address.resolve(WebAddress(reference))
    // Every reference below pays for its length.
    guard target.path.utf8.count <= Values.maximumAddress else { return self }
    return target.isHTTP || address.scheme == target.scheme
      ? Base(target.text, isDeclared: isDeclared || WebAddress(reference).scheme != nil) : self
  }

  /// `reference` made absolute, without control characters and white space around.
  func resolve(_ reference: String) -> String {
    let relative = WebAddress(reference)
    guard let address = known else { return relative.text }
    return address.resolve(relative).text
  }

  /// Absolute already, with nothing to drop and no dot segments: the common case, worth no parsing.
  static func isPlainAbsolute(_ reference: String) -> Bool {
    var reference = reference
    return reference.withUTF8 { bytes in
      guard bytes.count > 8, bytes.starts(with: "http".utf8) else { return false }
      var index = 4
      if bytes[index] == UInt8(ascii: "s") { index += 1 }
      guard bytes[index...].starts(with: "://".utf8) else { return false }
      index += 3
      var previous: UInt8 = 0
      while index < bytes.count {
        let byte = bytes[index]
        if byte <= 0x20 || byte == 0x7F || byte >= 0xC2 { return false }
        if byte == UInt8(ascii: "."), previous == UInt8(ascii: "/") { return false }
        previous = byte
        index += 1
      }
      return true
    }
  }
}
