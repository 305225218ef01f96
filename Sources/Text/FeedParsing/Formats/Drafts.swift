internal import FeedModel
internal import Foundation
internal import HTMLContent
internal import TextRules

// Feeds repeat facts in several vocabularies: each value has a rank, and the best is used.

/// The value with the highest rank; the first among equals.
struct Ranked<Fact> {
  private(set) var value: Fact?
  private var rank = Int.min

  mutating func offer(_ value: Fact?, rank: Int) {
    guard let value, rank > self.rank || self.value == nil else { return }
    self.value = value
    self.rank = rank
  }

  /// Sets a value of the same or a higher rank, so that the last among equals is used.
  mutating func replace(_ value: Fact?, rank: Int) {
    guard let value, rank >= self.rank || self.value == nil else { return }
    self.value = value
    self.rank = rank
  }
}

/// The text of an item before sanitising.
struct Body {
  enum Form { case html, text }
  var bytes: [UInt8]
  var form: Form
  var base: Base
  var language: String?

  /// Returns `nil` if there is only white space.
  init?(_ bytes: some Collection<UInt8>, form: Form, element: XMLElement) {
    guard bytes.contains(where: { !$0.isSpace }) else { return nil }
    self.bytes = Array(bytes)
    self.form = form
    base = element.base
    language = element.language
  }

  var html: String? {
    let inner = bytes.withUnsafeBufferPointer { HTMLContent.sanitise($0, base: base.known) }.trimmed
    base.added(inner.count - bytes.count)
    return inner.isEmpty ? nil : inner.string
  }

  var plain: String? {
    PlainText.read(bytes, isHTML: form == .html, limit: PlainText.maximumSummary)
  }

  /// Returns true if the text without markup is longer than that of `other`.
  func saysMore(than other: Body) -> Bool {
    if isEqual(bytes, other.bytes) { return false }
    return (plain?.utf8.count ?? 0) > (other.plain?.utf8.count ?? 0)
  }

  /// Compares with the C library, which compares many bytes at a time.
  private func isEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    a.count == b.count
      && a.withUnsafeBytes { a in
        b.withUnsafeBytes { b in
          guard let first = a.baseAddress, let second = b.baseAddress else { return true }
          return memcmp(first, second, a.count) == 0
        }
      }
  }
}

extension Body {
  /// The plain text with line breaks.
  fileprivate var lines: String? {
    let inner = bytes.withUnsafeBufferPointer(HTMLContent.cleanLines).trimmed
    return inner.isEmpty ? nil : inner.string
  }
}

struct ItemDraft {
  var id = Ranked<String>()
  var url = Ranked<String>()
  var externalURL: String?
  var commentsURL = Ranked<String>()
  var title = Ranked<String>()
  var content = Ranked<Body>()
  var summary = Ranked<Body>()
  /// The `summary` of an RSS item, beside a longer description.
  var excerpt: Body?
  /// The text of `itunes:summary`: the body if longer than a description, or else a summary.
  var notes: Body?
  var published = Ranked<Date>()
  var modified = Ranked<Date>()
  var image = Ranked<String>()
  var language: String?
  var authors = AuthorList()
  var tags = TagList()
  var enclosures = EnclosureList()
  /// The address of the item's page, against which texts without `xml:base` are resolved.
  var page: Base?
  /// The seconds of `itunes:duration`.
  var duration: Double?
  var chapters: [Chapter] = []
  /// The address of a file of chapters.
  var chaptersURL: String?

  func finish() -> ParsedItem {
    var item = ParsedItem(id: "")
    item.url = url.value
    item.externalURL = externalURL == url.value ? nil : externalURL
    item.title = title.value
    item.language = language
    // The first text is the body, and the last of several is the summary.
    var texts = [content.value, summary.value, excerpt].compactMap { $0 }
    if let notes {
      let isBody = content.value == nil && (texts.first.map { notes.saysMore(than: $0) } ?? true)
      if isBody {
        texts.insert(notes, at: 0)
      } else if texts.count == 1, content.value != nil {
        texts.append(notes)
      }
    }
    if var body = texts.first {
      if let page, !body.base.isMoved { body.base = page }
      item.setBody(body)
    }
    if texts.count > 1, let text = texts.last?.plain, text != item.contentText {
      item.summary = text
    }
    item.imageURL = image.value
    item.datePublished = published.value
    item.dateModified = modified.value
    item.authors = authors.best
    item.tags = tags.values
    item.enclosures = enclosures.finish(duration: duration)
    item.commentsURL = commentsURL.value == item.url ? nil : commentsURL.value
    item.id = identity(of: item)
    chapters.append(to: &item)
    item.chaptersURL = chapters.isEmpty ? chaptersURL : nil
    return item
  }

  /// Returns the identity from the feed, else the address, else a hash of the content.
  private func identity(of item: ParsedItem) -> String {
    if let id = id.value ?? item.address { return Identity.shortened(id) }
    var digest = Digest()
    digest.add(item.title)
    digest.add(item.datePublished.map { String($0.timeIntervalSince1970) })
    // Adds the text unless title and date suffice: a later item may have the same title.
    let isTitleEnough = item.title != nil && item.datePublished != nil
    digest.add(isTitleEnough ? nil : item.contentHTML ?? item.contentText)
    return digest.text
  }
}

enum Identity {
  /// Longest identity in bytes; a longer one is stored as a digest.
  static let maximumLength = 1024

  static func shortened(_ id: String) -> String {
    guard id.utf8.count > maximumLength else { return id }
    var digest = Digest()
    digest.add(id)
    return digest.text
  }
}

/// The items of a document. If several share an identity, all their identities are extended by more
/// content, so that the order of the items does not matter.
///
/// Items without an identity use their address, then address and title, then also the date, then
/// the text. The cache recognises an item whose identity changes between these steps by address,
/// title and date.
struct ItemList {
  /// Maximum number of items; further ones are omitted to bound memory.
  static let maximumCount = 50_000

  private var items: [ParsedItem] = []
  /// Indexes of items without an identity from the feed.
  private var unnamed: [Int] = []

  /// - Parameter isNamed: true if the feed gives the item an identity.
  mutating func append(_ item: consuming ParsedItem, isNamed: Bool) {
    guard items.count < Self.maximumCount else { return }
    if !isNamed { unnamed.append(items.count) }
    items.append(item)
    items[items.count - 1].hasOwnID = isNamed
  }

  /// Completes the identities.
  /// - Parameters:
  ///   - isCut: true if the document is truncated. Then omits items without an identity if a
  ///     missing item may share their address, or if there is only one of them.
  ///   - homePage: the feed's page, which is no item's address.
  consuming func finish(isCut: Bool, homePage: String?) -> [ParsedItem] {
    let shared = joinShared(unnamed.filter { items[$0].address != nil }, always: true) {
      item, digest in
      digest.add(item.address)
      digest.add(item.title)
    }
    var alike = joinShared(shared) { item, digest in
      digest.add(item.address)
      digest.add(item.title)
      digest.add(item.date)
    }
    alike += unnamed.filter { items[$0].address == nil }
    // The identity of an item without an address contains title and date.
    alike = joinShared(alike) { item, digest in
      digest.add(item.id)
      digest.add(item.date)
    }
    _ = joinShared(alike) { item, digest in
      digest.add(item.id)
      digest.add(item.contentHTML ?? item.contentText ?? item.summary)
    }
    guard isCut else { return items }
    var doubtful = Set(unnamed.filter { items[$0].mayShareAddress(homePage) }).union(shared)
    // A single item does not show whether items share addresses.
    if unnamed.count == 1, items[unnamed[0]].address != nil { doubtful.insert(unnamed[0]) }
    return items.indices.filter { !doubtful.contains($0) }.map { items[$0] }
  }

  /// Extends the shared identities among `places`.
  /// - Parameter always: true to change them even if they stay shared.
  /// - Returns: the indexes of the items with a shared identity.
  private mutating func joinShared(
    _ places: [Int], always: Bool = false, _ identify: (ParsedItem, inout Digest) -> Void
  ) -> [Int] {
    guard places.count > 1 else { return [] }
    var uses: [String: Int] = [:]
    for index in places { uses[items[index].id, default: 0] += 1 }
    guard uses.count < places.count else { return [] }
    let shared = places.filter { uses[items[$0].id, default: 0] > 1 }
    let longer = shared.map { index in
      var digest = Digest()
      identify(items[index], &digest)
      return digest.text
    }
    var differing: [String: Set<String>] = [:]
    for (index, id) in zip(shared, longer) { differing[items[index].id, default: []].insert(id) }
    for (index, id) in zip(shared, longer) {
      if always || differing[items[index].id, default: []].count > 1 { items[index].id = id }
    }
    return shared
  }
}

extension ParsedItem {
  fileprivate var address: String? { url ?? enclosures.first?.url }

  /// The date of publication, else of the last change.
  fileprivate var date: String? {
    (datePublished ?? dateModified).map { String($0.timeIntervalSince1970) }
  }

  /// True for a front page, the feed's page or no web page, which several items often share.
  fileprivate func mayShareAddress(_ homePage: String?) -> Bool {
    guard let url else { return false }
    let address = WebAddress(url)
    return url == homePage
      || (address.isHTTP && address.canonical == nil && address.fragment == nil)
  }
}

extension ParsedItem {
  fileprivate mutating func setBody(_ body: Body) {
    switch body.form {
    case .html: contentHTML = body.html
    case .text: contentText = body.lines
    }
    if language == nil { language = body.language }
  }
}

struct FeedDraft {
  var title = Ranked<String>()
  var summary = Ranked<String>()
  var homePage = Ranked<String>()
  var feedURL: String?
  var movedTo: String?
  var older = Ranked<String>()
  var generator: String?
  var icon = Ranked<String>()
  var favicon: String?
  var language = Ranked<String>()
  var authors = AuthorList()
  var hints = UpdateHints()
  var updatePeriod: Double?
  var updateFrequency: Double?
  var items = ItemList()

  mutating func add(_ draft: ItemDraft, documentLanguage: String?) {
    var item = draft.finish()
    if item.language == documentLanguage { item.language = nil }
    items.append(item, isNamed: draft.id.value != nil)
  }

  func finish(_ format: FeedFormat, isCut: Bool) -> ParsedFeed {
    var hints = hints
    if let updatePeriod {
      // The longer of two intervals applies.
      hints.interval = max(hints.interval ?? 0, updatePeriod / max(1, updateFrequency ?? 1))
    }
    var feed = ParsedFeed(
      format: format, title: title.value ?? "", summary: summary.value,
      homePageURL: homePage.value, language: language.value,
      items: items.finish(isCut: isCut, homePage: homePage.value))
    (feed.feedURL, feed.iconURL, feed.faviconURL) = (feedURL, icon.value, favicon)
    (feed.authors, feed.updateHints) = (authors.best, hints)
    (feed.olderURL, feed.generator, feed.movedTo) = (older.value, generator, movedTo)
    return feed
  }
}

/// Authors of the best vocabulary. A name outranks a mail address, which RSS requires.
struct AuthorList {
  private(set) var best: [Author] = []
  private var rank = Int.min
  private var isOnlyMail: Bool { best.allSatisfy { Values.isOnlyMail($0) } }

  mutating func add(_ author: Author?, rank: Int) {
    guard let author, author.name != nil || author.url != nil else { return }
    var replaces = rank > self.rank
    if !best.isEmpty, rank >= Rank.media, self.rank >= Rank.media, rank != self.rank {
      let isMail = Values.isOnlyMail(author)
      if isMail != isOnlyMail { replaces = !isMail }
    }
    guard replaces || rank == self.rank else { return }
    if replaces {
      self.rank = rank
      best = []
    }
    guard best.count < 100, !best.contains(author) else { return }
    best.append(author)
  }
}

/// Distinct labels in the order of the document.
struct TagList {
  private(set) var values: [String] = []

  mutating func add(_ tag: String?) {
    guard let tag, values.count < 200, !values.contains(tag) else { return }
    values.append(tag)
  }
}

/// Distinct files. Merges the facts of several vocabularies about one address.
struct EnclosureList {
  private var files: [(file: Enclosure, isTyped: Bool)] = []

  /// - Parameter type: the media type as written, if any.
  mutating func add(
    _ url: String?, type: String?, title: String? = nil, size: Int64? = nil,
    duration: Double? = nil, medium: String? = nil
  ) {
    guard let url, !url.isEmpty, files.count < 200 else { return }
    let found = MediaType.of(url: url, stated: type, medium: medium)
    let index = files.firstIndex { $0.file.url == url }
    var entry =
      index.map { files[$0] } ?? (file: Enclosure(url: url, mimeType: ""), isTyped: false)
    if !entry.isTyped { (entry.file.mimeType, entry.isTyped) = found }
    entry.file.title = entry.file.title ?? title
    entry.file.size = entry.file.size ?? size
    entry.file.duration = entry.file.duration ?? duration
    if let index { files[index] = entry } else { files.append(entry) }
  }

  /// - Parameter duration: the item's duration, for the first audio or video.
  func finish(duration: Double?) -> [Enclosure] {
    var result = files.map(\.file)
    if let duration {
      let index =
        result.firstIndex { $0.mimeType.hasPrefix("audio/") || $0.mimeType.hasPrefix("video/") }
        ?? result.indices.first
      if let index, result[index].duration == nil { result[index].duration = duration }
    }
    return result
  }
}

/// A short hash that identifies items without an identity, or with an overlong one. 128-bit FNV-1a
/// (draft-eastlake-fnv), stable across runs and machines unlike Swift's hashing. Collisions can
/// affect only the feed that forges them.
struct Digest {
  private var state: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d

  mutating func add(_ text: String?) {
    for byte in (text ?? "").utf8 { add(byte) }
    add(0)
  }

  private mutating func add(_ byte: UInt8) {
    state ^= UInt128(byte)
    state &*= 0x0000_0000_0100_0000_0000_0000_0000_013B
  }

  /// The hash as 32 hexadecimal digits.
  var text: String {
    let digits = String(state, radix: 16)
    return String(repeating: "0", count: 32 - digits.count) + digits
  }
}
