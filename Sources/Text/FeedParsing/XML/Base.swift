internal import FeedModel

/// The parsed address that relative references resolve against.
final class Base {
  /// The address; `nil` if unknown, so that references are not changed.
  let address: WebAddress?
  /// True if `xml:base` sets the address, which is then independent of the document's.
  let isDeclared: Bool
  /// True if any `xml:base` applies.
  let isMoved: Bool
  var text: String? { known?.text }
  /// The feed's home page, used if no base is known.
  private var assumed: WebAddress?
  var known: WebAddress? { address ?? assumed }

  init(_ text: String?, isDeclared: Bool = false, isMoved: Bool = false) {
    (self.isDeclared, self.isMoved) = (isDeclared, isMoved)
    let parsed = text.map { WebAddress($0) }
    address = parsed?.scheme == nil ? nil : parsed
  }

  /// Uses the first absolute address if there is no base.
  func assume(_ text: String?) {
    guard address == nil, assumed == nil, let text else { return }
    let candidate = WebAddress(text)
    if candidate.isHTTP { assumed = candidate }
  }

  /// Returns the base set by an `xml:base` attribute, relative to the enclosing one (XML Base,
  /// §4.2).
  func moved(to reference: String) -> Base {
    guard let reference = Values.clean(reference) else { return self }
    guard let address = known else { return Base(reference, isDeclared: true, isMoved: true) }
    let target = address.resolve(WebAddress(reference))
    // Ignores a long base, which every relative reference would repeat.
    guard target.path.utf8.count <= Values.maximumAddress else { return self }
    return target.isHTTP || address.scheme == target.scheme
      ? Base(
        target.text, isDeclared: isDeclared || WebAddress(reference).scheme != nil, isMoved: true)
      : self
  }

  /// Returns `reference` as absolute, without control characters and surrounding white space.
  func resolve(_ reference: String) -> String {
    let relative = WebAddress(reference)
    guard let address = known else { return relative.text }
    return address.resolve(relative).text
  }
}
