internal import FeedModel
internal import Foundation
internal import HTMLContent
internal import TextRules

// The elements of RSS (0.90 to 2.0, RDF) and of Atom (0.3, 1.0): RSS 2.0 specification, RSS 1.0
// specification, RFC 4287.

extension FeedReader {
  /// True in Atom's namespace, or in no namespace if the root is Atom.
  private func isAtom(_ element: XMLElement) -> Bool {
    element.vocabulary == .atom || (format == .atom && element.vocabulary == .core)
  }

  /// Returns the text's type. RSS text is HTML; Atom has types, which some RSS feeds use too.
  private func construct(_ element: XMLElement) -> TextConstruct {
    if isAtom(element) || element[.mode] != nil { return TextConstruct(element) }
    if let type = element[.type], type.utf8.contains(UInt8(ascii: "/")) || type == "xhtml" {
      return TextConstruct(element)
    }
    return .html
  }

  /// Ranks the document's vocabulary above others.
  private func rank(_ element: XMLElement) -> Int {
    isAtom(element) == (format == .atom) ? Rank.own : Rank.secondary
  }

  func openOwn(_ element: XMLElement) -> Reading {
    switch element.name {
    case .title, .description, .summary, .subtitle, .tagline, .info, .content:
      if element.name == .content, let source = element[.src], isInItem {
        item.url.offer(Values.address(source, in: element), rank: Rank.lastResort)
      }
      return .text(construct(element).mode)
    case .abstract: return .text(.html)
    case .body, .fullitem, .div: return isInItem ? .text(.html) : .skip
    case .link:
      if let target = element[.href] { readLink(element, to: target) }
      return .text(.plain)
    case .category:
      guard let term = element[.term]?.trimmedOrNil ?? element[.label]?.trimmedOrNil else {
        return .text(.plain)
      }
      addTag(PlainText.label(element[.label]?.trimmedOrNil ?? term))
      return .skip
    case .author, .contributor: return openPerson()
    case .source: return isAtom(element) ? .children(.source) : .skip
    case .image:
      let address = element.attribute(anywhere: .href) ?? element[.url]
      if let address { readImage(address, element) }
      return .children(isInItem ? .itemImage : .image)
    case .enclosure:
      readEnclosure(element)
      return .skip
    case .skiphours: return .children(.skipHours)
    case .skipdays: return .children(.skipDays)
    case .guid, .id, .comments, .pubdate, .published, .issued, .created, .updated, .modified,
      .date, .language, .managingeditor, .webmaster, .creator, .logo, .icon, .ttl, .tags, .keywords,
      .subject, .url, .generator:
      return .text(.plain)
    default: return .skip
    }
  }

  func readOwn(_ text: XMLText) {
    if isInItem { readOwnOfItem(text) } else { readOwnOfFeed(text) }
  }

  // MARK: Feeds

  private func readOwnOfFeed(_ text: XMLText) {
    let element = text.element
    switch element.name {
    case .title:
      hasReadTitle = true
      feed.title.offer(title(text), rank: rank(element))
    case .description, .subtitle, .tagline:
      feed.summary.offer(plain(text, limit: PlainText.maximumSummary), rank: rank(element))
    case .info, .abstract:
      feed.summary.offer(plain(text, limit: PlainText.maximumSummary), rank: Rank.lastResort)
    case .link:
      guard element[.href] == nil else { break }
      if isAtom(element) {
        readLink(element, to: text.bytes.string)
      } else {
        // The specification allows one link; of several, the last counts.
        let address = Values.address(text.bytes.string, in: element)
        feed.homePage.replace(address, rank: Rank.preferred)
      }
    case .language:
      feed.language.offer(PlainText.read(text.bytes, isHTML: true, limit: 64), rank: Rank.own)
    case .managingeditor: feed.authors.add(Values.author(Array(text.bytes)), rank: Rank.secondary)
    case .creator: feed.authors.add(Values.author(Array(text.bytes)), rank: Rank.dublinCore)
    case .webmaster: feed.authors.add(Values.author(Array(text.bytes)), rank: Rank.lastResort)
    case .logo:
      let address = element[.href] ?? text.bytes.string
      feed.icon.offer(Values.address(address, in: element), rank: Rank.own)
    case .icon: feed.favicon = feed.favicon ?? Values.address(text.bytes.string, in: element)
    case .generator: feed.generator = feed.generator ?? plain(text)
    case .ttl:
      if let minutes = Values.integer(text.bytes), minutes > 0, minutes < 1_000_000 {
        feed.hints.interval = Double(minutes) * 60
      }
    default: break
    }
  }

  // MARK: Items

  private func readOwnOfItem(_ text: XMLText) {
    let element = text.element
    switch element.name {
    case .title: item.title.offer(title(text), rank: rank(element))
    case .content: item.content.offer(body(text), rank: rank(element) + formRank(element))
    case .fullitem, .body, .div:
      item.content.offer(body(text), rank: Rank.xhtml)
    case .summary where !isAtom(element): item.excerpt = item.excerpt ?? body(text)
    case .description, .summary: item.summary.offer(body(text), rank: rank(element))
    case .abstract, .subtitle, .tagline:
      item.summary.offer(body(text), rank: Rank.dublinCore)
    case .link:
      guard element[.href] == nil else { break }
      if isAtom(element) {
        readLink(element, to: text.bytes.string)
      } else {
        item.url.replace(Values.address(text.bytes.string, in: element), rank: Rank.preferred)
      }
    case .guid, .id: readIdentity(text)
    case .url: item.url.offer(Values.address(text.bytes.string, in: element), rank: Rank.permalink)
    case .comments:
      item.commentsURL.offer(Values.address(text.bytes.string, in: element), rank: Rank.own)
    case .pubdate: item.published.offer(DateParser.parse(text.bytes), rank: Rank.preferred)
    case .published, .issued:
      let rank = rank(element) + (element.name == .published ? 1 : 0)
      item.published.offer(DateParser.parse(text.bytes), rank: rank)
    case .created: item.published.offer(DateParser.parse(text.bytes), rank: Rank.media)
    case .date: item.published.offer(DateParser.parse(text.bytes), rank: Rank.contributor)
    case .updated, .modified:
      item.modified.offer(DateParser.parse(text.bytes), rank: rank(element))
    case .language: item.language = PlainText.read(text.bytes, isHTML: true, limit: 64)
    case .creator: item.authors.add(Values.author(Array(text.bytes)), rank: Rank.dublinCore)
    case .category, .subject: addTag(PlainText.label(text.bytes))
    case .tags, .keywords: addList(text.bytes)
    default: break
    }
  }

  /// Ranks HTML above plain text, and plain text above Base64.
  private func formRank(_ element: XMLElement) -> Int {
    switch construct(element) {
    case .html, .xhtml: 3
    case .text: 2
    case .base64: 1
    }
  }

  private func readIdentity(_ text: XMLText) {
    guard var id = Values.identity(text.bytes) else { return }
    // Atom identities are addresses (RFC 4287, §4.2.6). A base declared in the document is stable
    // between fetches; the document's address is not.
    if text.element.name == .id, text.element.base.isDeclared {
      id = text.element.base.resolve(id) ?? id
    }
    item.id.offer(id, rank: rank(text.element) + (text.element.name == .guid ? 1 : 0))
    guard text.element.name == .guid else {
      if isAtom(text.element), WebAddress(id).isHTTP {
        item.url.offer(Values.address(id, in: text.element), rank: Rank.identity)
      }
      return
    }
    let isPermalink = text.element[.ispermalink]?.trimmedOrNil?.lowercased()
    guard isPermalink != "false" else { return }
    if isPermalink == "true" || WebAddress(id).isHTTP {
      let address = Values.address(id, in: text.element)
      if let address, WebAddress(address).isHTTP {
        item.url.offer(address, rank: Rank.permalink)
      }
    }
  }

  // MARK: Links and files

  private func readLink(_ element: XMLElement, to target: String) {
    let relation = element[.rel]?.trimmedOrNil?.lowercased() ?? "alternate"
    // An empty reference means the document itself (RFC 3986, §4.4).
    let isDocument = relation == "self" && target.trimmedOrNil == nil
    let document = element.base.known?.text
    guard let address = isDocument ? document : Values.address(target, in: element) else { return }
    let type = MediaType.normalised(element[.type])
    let isPage = type == nil || type == "text/html" || type == "application/xhtml+xml"
    // Relations also have a long form (RFC 4287, §4.2.7.2).
    let prefix = "http://www.iana.org/assignments/relation/"
    switch relation.hasPrefix(prefix) ? String(relation.dropFirst(prefix.count)) : relation {
    case "alternate":
      let rank = isPage ? Rank.own : Rank.secondary
      switch (isInItem, isAtom(element)) {
      case (true, true): item.url.offer(address, rank: rank)
      case (true, false): item.url.replace(address, rank: Rank.preferred)
      case (false, true): feed.homePage.offer(address, rank: rank)
      case (false, false): feed.homePage.replace(address, rank: Rank.preferred)
      }
    case "self":
      if isInItem {
        item.url.offer(address, rank: Rank.inherited)
      } else {
        feed.feedURL = feed.feedURL ?? address
      }
    // RFC 5005, sections 3 and 4: the next page, or the previous archive, has older items.
    case "next", "prev-archive":
      if !isInItem, type != "text/html" {
        feed.older.offer(address, rank: relation.hasSuffix("next") ? 0 : 1)
      }
    case "enclosure":
      guard isInItem else { return }
      item.enclosures.add(
        address, type: element[.type],
        title: PlainText.read(element[.title], isHTML: true, limit: 512),
        size: Values.size(element[.length]))
    case "related":
      guard isInItem else { return }
      item.externalURL = item.externalURL ?? address
      item.url.offer(address, rank: Rank.lastResort)
    case "via":
      if isInItem { item.url.offer(address, rank: Rank.lastResort) }
    case "replies":
      if isInItem { item.commentsURL.offer(address, rank: isPage ? Rank.own : Rank.inherited) }
    case "image", "icon":
      if isInItem {
        item.image.offer(address, rank: Rank.itunes)
      } else {
        feed.icon.offer(address, rank: Rank.itunes)
      }
    default: break
    }
  }

  private func readEnclosure(_ element: XMLElement) {
    guard isInItem else { return }
    let reference = element[.url] ?? element[.href] ?? element.attribute(anywhere: .resource)
    let address = Values.address(reference, in: element)
    let type = element[.type] ?? element.attribute(anywhere: .type)
    if let address, MediaType.of(url: address, stated: type).type.hasPrefix("image/") {
      item.image.offer(address, rank: Rank.inherited)
    }
    item.enclosures.add(
      address, type: type,
      size: Values.size(element[.length] ?? element.attribute(anywhere: .length)))
  }

  // MARK: Texts

  private func title(_ text: XMLText) -> String? {
    construct(text.element).read(text) { bytes, form in
      // Elements of the document are markup, whatever their names.
      form == .html && !text.hasMarkup
        ? PlainText.title(bytes) : PlainText.read(bytes, isHTML: form == .html)
    }
  }

  func plain(_ text: XMLText, limit: Int = PlainText.maximumTitle) -> String? {
    construct(text.element).read(text) { bytes, form in
      PlainText.read(bytes, isHTML: form == .html, limit: limit)
    }
  }

  func body(_ text: XMLText) -> Body? {
    let construct = construct(text.element)
    return construct.read(text) { bytes, form in
      // A body without a type is HTML.
      if case .base64(isHTML: nil) = construct {
        return Body(bytes, form: .html, element: text.element)
      }
      if form == .text, text.element[.type]?.trimmedOrNil == nil, text.element[.mode] == nil,
        HTMLEvidence.isFound(in: bytes)
      {
        return Body(bytes, form: .html, element: text.element)
      }
      if form == .html, !text.hasMarkup, !isAtom(text.element), text.element[.type] == nil,
        text.element[.mode] == nil, HTMLEvidence.isMissing(in: bytes)
      {
        return Body(bytes, form: .text, element: text.element)
      }
      return Body(bytes, form: form, element: text.element)
    }
  }

  func addTag(_ tag: String?) {
    if isInItem { item.tags.add(tag) }
  }

  /// Adds labels separated by commas.
  func addList(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard isInItem else { return }
    for part in bytes.prefix(16384).split(separator: UInt8(ascii: ",")) {
      item.tags.add(PlainText.label(UnsafeBufferPointer(rebasing: part)))
    }
  }
}
