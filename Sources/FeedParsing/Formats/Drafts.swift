internal import FeedModel
internal import Foundation
internal import HTMLContent

// What has been read of a feed and its items so far. Feeds say the same thing in several
// vocabularies at once: each finding comes with a rank, the best one stays.

/// The best of several findings; the first among equals.
struct Ranked<Value> {
  private(set) var value: Value?
  private var rank = Int.min

  mutating func offer(_ value: Value?, rank: Int) {
    guard let value, rank > self.rank || self.value == nil else { return }
    self.value = value
    self.rank = rank
  }

  /// The last among equals instead.
  mutating func replace(_ value: Value?, rank: Int) {
    guard let value, rank >= self.rank || self.value == nil else { return }
    self.value = value
    self.rank = rank
  }
}

/// The text of an item before it is cleaned.
struct Body {
  enum Form { case html, text }
  var bytes: [UInt8]
  var form: Form
  var base: Base
  var language: String?

  /// nil where there is only white space.
  init?(_ bytes: some Collection<UInt8>, form: Form, element: XMLElement) {
    guard bytes.contains(where: { !$0.isSpace }) else { return nil }
    self.bytes = Array(bytes)
    self.form = form
    base = element.base
    language = element.language
  }

  var html: String? {
    let clean = bytes.withUnsafeBufferPointer { bytes in
      PlainText.mappingControls(bytes) { HTMLContent.sanitise($0, base: base.known) }
    }
    let inner = clean.trimmed
    return inner.isEmpty ? nil : inner.string
  }

  var plain: String? {
    PlainText.read(bytes, isHTML: form == .html, limit: PlainText.maximumSummary)
  }
}

extension Body {
  /// Plain text with its lines.
  fileprivate var lines: String? {
    let clean = bytes.withUnsafeBufferPointer { bytes in
      PlainText.mappingControls(bytes) { HTMLContent.cleanLines($0) }
    }
    let inner = clean.trimmed
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
  /// RSS's `summary`, which stands beside a longer description.
  var excerpt: Body?
  var published = Ranked<Date>()
  var modified = Ranked<Date>()
  var image = Ranked<String>()
  var language: String?
  var authors = AuthorList()
  var tags = TagList()
  var enclosures = EnclosureList()
  /// `itunes:duration`, in seconds.
  var duration: Double?

  /// What the item comes to.
  func finish() -> ParsedItem {
    var item = ParsedItem(id: "")
    item.url = url.value
    item.externalURL = externalURL == url.value ? nil : externalURL
    item.title = title.value
    item.language = language
    // The longest form that the feed has is the body, the next one its summary.
    let texts = [content.value, summary.value, excerpt].compactMap { $0 }
    if let body = texts.first { item.setBody(body) }
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
    return item
  }

  /// The identity that the feed gives; else the address; else what the item says.
  private func identity(of item: ParsedItem) -> String {
    if let id = id.value ?? item.address { return Identity.shortened(id) }
    var digest = Digest()
    digest.add(item.title)
    digest.add(item.datePublished.map { String($0.timeIntervalSince1970) })
    digest.add(item.title == nil ? item.contentHTML ?? item.contentText : nil)
    return digest.text
  }
}

enum Identity {
  /// Identities longer than this, in bytes, are kept as a digest.
  static let maximumLength = 1024

  static func shortened(_ id: String) -> String {
    guard id.utf8.count > maximumLength else { return id }
    var digest = Digest()
    digest.add(id)
    return digest.text
  }
}

/// The items of a document. An address that several of them share says too little to tell them apart:
/// the title joins it, in all of them, so that it does not matter which of them is the newest.
struct ItemList {
  /// A document's items beyond so many are left out: each costs memory, and no list that somebody
  /// reads is as long.
  static let maximumCount = 50_000

  private var items: [ParsedItem] = []
  /// Places of items whose identity is their address.
  private var unnamed: [Int] = []

  /// - Parameter isNamed: the feed gives it an identity.
  mutating func append(_ item: ParsedItem, isNamed: Bool) {
    guard items.count < Self.maximumCount else { return }
    if !isNamed, item.address != nil { unnamed.append(items.count) }
    items.append(item)
  }

  consuming func finish() -> [ParsedItem] {
    var uses: [String: Int] = [:]
    for index in unnamed { uses[items[index].id, default: 0] += 1 }
    for index in unnamed where uses[items[index].id, default: 0] > 1 {
      var digest = Digest()
      digest.add(items[index].address)
      digest.add(items[index].title)
      items[index].id = digest.text
    }
    return items
  }
}

extension ParsedItem {
  /// What can stand in for an identity.
  fileprivate var address: String? { url ?? enclosures.first?.url }
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

  func finish(_ format: FeedFormat) -> ParsedFeed {
    var hints = hints
    if let updatePeriod {
      // Who asks twice is asked as seldom as either says.
      hints.interval = max(hints.interval ?? 0, updatePeriod / max(1, updateFrequency ?? 1))
    }
    return ParsedFeed(
      format: format, title: title.value ?? "", summary: summary.value,
      homePageURL: homePage.value, feedURL: feedURL, iconURL: icon.value, faviconURL: favicon,
      language: language.value, authors: authors.best, items: items.finish(),
      updateHints: hints)
  }
}

/// Authors from several vocabularies: those of the best one count.
struct AuthorList {
  private(set) var best: [Author] = []
  private var rank = Int.min

  mutating func add(_ author: Author?, rank: Int) {
    guard let author, author.name != nil || author.url != nil, rank >= self.rank else { return }
    if rank > self.rank {
      self.rank = rank
      best = []
    }
    guard best.count < 100, !best.contains(author) else { return }
    best.append(author)
  }
}

/// Labels without repetition, in the order of the document.
struct TagList {
  private(set) var values: [String] = []

  mutating func add(_ tag: String?) {
    guard let tag, values.count < 200, !values.contains(tag) else { return }
    values.append(tag)
  }
}

/// Files without repetition: what two vocabularies say of one address is put together.
struct EnclosureList {
  private var files: [(file: Enclosure, isTyped: Bool)] = []

  /// - Parameter type: the media type as written; nil where there was none.
  mutating func add(
    _ url: String?, type: String?, title: String? = nil, size: Int64? = nil,
    duration: Double? = nil, medium: String? = nil
  ) {
    guard let url, !url.isEmpty, files.count < 200 else { return }
    let known = MediaType.normalised(type)
    let index = files.firstIndex { $0.file.url == url }
    var entry =
      index.map { files[$0] } ?? (file: Enclosure(url: url, mimeType: ""), isTyped: false)
    if let known, !entry.isTyped {
      entry.file.mimeType = known
      entry.isTyped = true
    } else if !entry.isTyped {
      entry.file.mimeType = MediaType.guess(url: url, medium: medium)
    }
    entry.file.title = entry.file.title ?? title
    entry.file.size = entry.file.size ?? size
    entry.file.duration = entry.file.duration ?? duration
    if let index { files[index] = entry } else { files.append(entry) }
  }

  /// - Parameter duration: what the item says of its recording; it goes to the first audio or video.
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
