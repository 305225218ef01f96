internal import FeedModel

/// The parsed address that relative references resolve against.
final class Base {
  /// The address; `nil` if unknown, so that references are not changed.
  let address: WebAddress?
  /// True if `xml:base` sets the address, which is then independent of the document's.
  let isDeclared: Bool
  /// True if any `xml:base` applies.
  let isMoved: Bool
  /// The feed's home page, used if no base is known.
  private var assumed: WebAddress?
  private let growth: Growth
  /// `nil` also for a document to which the base has added too much.
  var known: WebAddress? { growth.bytes < growth.most ? address ?? assumed : nil }

  /// Bytes that bases have added to the addresses and texts of a document.
  private final class Growth {
    var bytes = 0
    let most = maximumGrowth
  }
  @TaskLocal static var maximumGrowth = 8 << 20

  convenience init(_ text: String?) { self.init(address: text.map { WebAddress($0) }) }

  convenience init(address: WebAddress?) {
    self.init(address, isDeclared: false, isMoved: false, Growth())
  }

  private init(_ address: WebAddress?, isDeclared: Bool, isMoved: Bool = true, _ growth: Growth) {
    (self.isDeclared, self.isMoved, self.growth) = (isDeclared, isMoved, growth)
    self.address = address?.scheme == nil ? nil : address?.limited
  }

  /// Counts what resolving has added to a text.
  func added(_ bytes: Int) { growth.bytes += max(0, bytes) }

  /// Uses the first absolute address if there is no base.
  func assume(_ text: String?) {
    guard address == nil, assumed == nil, let text else { return }
    if let candidate = WebAddress(text).limited, candidate.isHTTP { assumed = candidate }
  }

  /// Returns the base set by an `xml:base` attribute, relative to the enclosing one (XML Base,
  /// §4.2).
  func moved(to reference: String) -> Base {
    guard let reference = Values.clean(reference) else { return self }
    guard let address = known else { return Base(WebAddress(reference), isDeclared: true, growth) }
    guard let target = address.resolve(WebAddress(reference)) else { return self }
    let isDeclared = isDeclared || WebAddress(reference).scheme != nil
    return target.isHTTP || address.scheme == target.scheme
      ? Base(WebAddress(target.text), isDeclared: isDeclared, growth) : self
  }

  /// Returns `reference` as absolute, without control characters and surrounding white space; `nil`
  /// if it would be too long.
  func resolve(_ reference: String) -> String? {
    let relative = WebAddress(reference)
    let target = known.map { $0.resolve(relative) } ?? relative.limited
    let text = target?.text
    added((text?.utf8.count ?? 0) - reference.utf8.count)
    return text
  }
}
