import Foundation

/// A part of the state, by its key in the format. Each part is set and merged separately.
package struct Field: RawRepresentable, Hashable, Sendable {
  package let rawValue: String

  /// Composes letters, so that equal keys have the same bytes on every device.
  package init(rawValue: String) {
    let isASCII = rawValue.utf8.allSatisfy { $0 < 0x80 }
    self.rawValue = isASCII ? rawValue : rawValue.precomposedStringWithCanonicalMapping
  }
  private init(_ key: StaticString) { rawValue = "\(key)" }

  /// 1 with the address and title of a subscription; 0 if unsubscribed.
  package static let subscribed = Field("sub")
  package static let name = Field("name")
  /// The address of a feed that moved.
  package static let url = Field("url")
  /// The titles of the folders around a feed, the outermost first.
  package static let folder = Field("folder")
  /// Another key of the same feed.
  package static let alias = Field("alias")
  package static let read = Field("read")
  package static let starred = Field("starred")
  /// An article that is kept for later.
  package static let later = Field("later")
  package static let deleted = Field("deleted")
  /// The milliseconds since 1970 at which a snoozed article returns; 0 for none.
  package static let snoozed = Field("snoozed")
  /// `[block, share]`: the block of the text at the top of the screen, -1 for the head, and the
  /// share of it above the screen in thousandths. `[-1, 0]` is the beginning.
  package static let position = Field("position")
  /// A saved search; 0 if deleted.
  package static let search = Field("search")
  /// A rule; 0 if deleted.
  package static let rule = Field("rule")
  /// The order of a folder's feeds.
  package static let order = Field("order")
  /// A tag of an article or, without articles, of a feed: 1 or 0.
  package static func tag(_ name: String) -> Field { Field(rawValue: "tag:" + name) }
  package static func option(_ option: FeedOption) -> Field {
    Field(rawValue: "option:" + option.rawValue)
  }

  package var tag: String? { rawValue.hasPrefix("tag:") ? String(rawValue.dropFirst(4)) : nil }
  /// The key for all spellings of a tag that the cache treats as equal: the case of ASCII letters
  /// does not matter.
  package var folded: Field {
    guard tag != nil else { return self }
    let bytes = rawValue.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    return Field(rawValue: String(decoding: bytes, as: UTF8.self))
  }
  package var option: FeedOption? {
    rawValue.hasPrefix("option:") ? FeedOption(rawValue: String(rawValue.dropFirst(7))) : nil
  }
  /// False for a field of a later version, which is merged and never applied.
  var isKnown: Bool { Self.known.contains(self) || tag != nil || option != nil }

  private static let known: Set<Field> = [
    .subscribed, .name, .url, .folder, .alias, .read, .starred, .later, .deleted, .snoozed,
    .position, .search, .rule, .order,
  ]
}

/// The reason that an entry is neither written nor applied.
package enum Rejection: Error, Sendable {
  /// A line that is not an entry, or whose number is outside the range of its file.
  case malformed
  /// The field cannot have this value, or not for this subject.
  case value
  case tooLong
  /// A setting that is never shared: headers, cookies, proxies.
  case secret
}

extension Entry {
  /// Returns the entry as devices may send and receive it: without passwords.
  package func admitted() throws(Rejection) -> Entry {
    var entry = self
    switch (subject, field) {
    case (.feed, .subscribed):
      try require(isFlag)
      try require(value == .integer(0) || rest["url"] != nil)
      if let url = rest["url"] { entry.rest["url"] = try entry.withoutPassword(url) }
      // A title is only shown until the feed is fetched.
      if (try? Self.checkText(rest["title"])) == nil { entry.rest["title"] = nil }
    case (.feed, .url): entry.value = try entry.withoutPassword(value)
    case (.feed, .name): if value != .null { try Self.checkText(value) }
    case (.feed, .folder):
      try Self.checkFolder(value)
      if (try? Self.checkFolder(rest["former"])) == nil { entry.rest["former"] = nil }
    case (.feed, .alias): try require(value == .null || FeedKey(text: value.text) != nil)
    case (.articles, .read), (.articles, .starred), (.articles, .later), (.articles, .deleted):
      try require(isFlag)
    case (.articles, .snoozed):
      try require((0...Timestamp.latest.milliseconds).contains(value.integer ?? -1))
    case (.articles, .position):
      let numbers = (value.elements ?? []).compactMap(\.integer)
      try require(numbers.count == 2 && value.elements?.count == 2)
      try require((-1...10_000_000).contains(numbers[0]) && (0...1_000).contains(numbers[1]))
    case (.object, .search), (.object, .rule): if value != .integer(0) { try checkQuery() }
    case (.object, .order):
      try Self.checkFolder(value.members?["folder"])
      let feeds = value.members?["feeds"]?.elements
      try require(feeds?.allSatisfy { FeedKey(text: $0.text) != nil } ?? false)
      try require((feeds?.count ?? 0) <= Limits.ordered, .tooLong)
    case (.feed, _) where field.option != nil: try checkOption()
    case (.feed, _) where field.tag != nil, (.articles, _) where field.tag != nil:
      try require(
        isFlag && field != .tag("") && field.tag?.contains(where: \.isWhitespace) == false)
      try Self.checkText(.string(field.tag ?? ""), limit: Limits.title)
    default:
      try require(!field.isKnown)
      try require(value.bytes.count <= Limits.unknown, .tooLong)
    }
    if case .articles(_, let articles) = subject {
      try require(!articles.isEmpty)
      try require(articles.count <= Limits.articles, .tooLong)
    }
    try require(JSONValue.object(entry.rest).bytes.count <= Limits.unknown, .tooLong)
    return entry
  }

  private var isFlag: Bool { value == .integer(0) || value == .integer(1) }

  /// Returns an address without its password, and marks the entry if there was one.
  private mutating func withoutPassword(_ url: JSONValue) throws(Rejection) -> JSONValue {
    guard let (address, hadPassword) = url.text.flatMap(FeedAddress.withoutPassword) else {
      throw .value
    }
    if hadPassword { rest["password"] = .integer(1) }
    return .string(address)
  }

  private func checkOption() throws(Rejection) {
    guard let option = field.option else { return }
    try require(![.proxy, .headers, .cookies].contains(option), .secret)
    var options = FeedOptions()
    try require(value == .null || value.text.map { options.set(option, to: $0) } ?? false)
  }

  private func checkQuery() throws(Rejection) {
    for name in ["query", "name", "actions"] where name == "query" || value.members?[name] != nil {
      try Self.checkText(value.members?[name], limit: Limits.address)
    }
    try require(value.bytes.count <= 2 * Limits.unknown, .tooLong)
  }

  private static func checkFolder(_ value: JSONValue?) throws(Rejection) {
    guard let titles = value?.elements else { throw .value }
    try require(titles.count <= Limits.depth, .tooLong)
    for title in titles {
      try require(title != .string(""))
      try checkText(title, limit: Limits.title)
    }
  }

  private static func checkText(
    _ value: JSONValue?, limit: Int = Limits.name
  ) throws(Rejection) {
    guard let text = value?.text, FeedAddress.isPlain(text) else { throw .value }
    try require(text.utf8.count <= limit, .tooLong)
  }
}

private func require(_ isValid: Bool, _ rejection: Rejection = .value) throws(Rejection) {
  if !isValid { throw rejection }
}

/// The actions of a rule that arrives from another device.
package struct ArrivingRule: Sendable {
  /// Applied as on the other device.
  package private(set) var actions: [RuleAction] = []
  /// Starts of programs, disabled until the user allows them on this machine.
  package private(set) var programs: [RuleAction] = []
  /// Actions of a later version, not applied.
  package private(set) var unknown: [String] = []

  /// - Parameter codes: separated by spaces, as in `RuleAction.text`.
  package init(_ codes: String) {
    for code in codes.split(whereSeparator: \.isWhitespace).map(String.init) {
      switch RuleAction(code: code) {
      case .run(let program)?: programs.append(.run(program))
      case let action?: actions.append(action)
      case nil: unknown.append(code)
      }
    }
  }
}
