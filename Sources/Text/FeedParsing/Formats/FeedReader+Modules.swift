internal import FeedModel
internal import Foundation
internal import HTMLContent
internal import TextRules

// Modules: RSS 1.0 Content, Dublin Core, Syndication, FeedBurner; Media RSS; iTunes podcasts.

extension FeedReader {
  func openModule(_ element: XMLElement) -> Reading {
    switch (element.vocabulary, element.name) {
    case (.content, .encoded): isInItem ? .text(.html) : .skip
    case (.content, _): .skip
    case (_, .description), (_, .abstract): .text(.html)
    default: element.name == .unknown ? .skip : .text(.plain)
    }
  }

  func readModule(_ text: XMLText) {
    if text.element.vocabulary == .syndication {
      readSchedule(text)
    } else if isInItem {
      readModuleOfItem(text)
    } else {
      readModuleOfFeed(text)
    }
  }

  private func readModuleOfItem(_ text: XMLText) {
    let element = text.element
    let rank = element.vocabulary == .dublinCoreTerms ? Rank.terms : Rank.dublinCore
    switch (element.vocabulary, element.name) {
    case (.content, .encoded):
      item.content.offer(Body(text.bytes, form: .html, element: element), rank: Rank.preferred)
    case (.feedburner, .origlink):
      item.url.offer(Values.address(text.bytes.string, in: element), rank: Rank.inherited)
    case (_, .title):
      item.title.offer(PlainText.title(text.bytes), rank: rank)
    case (_, .description), (_, .abstract):
      item.summary.offer(Body(text.bytes, form: .html, element: element), rank: rank)
    case (_, .creator), (_, .author): item.authors.add(Values.author(Array(text.bytes)), rank: rank)
    case (_, .contributor):
      item.authors.add(Values.author(Array(text.bytes)), rank: Rank.contributor)
    case (_, .subject): addTag(PlainText.label(text.bytes))
    case (_, .date), (_, .issued), (_, .published):
      item.published.offer(DateParser.parse(text.bytes), rank: rank)
    case (_, .created): item.published.offer(DateParser.parse(text.bytes), rank: Rank.media)
    case (_, .modified), (_, .updated):
      item.modified.offer(DateParser.parse(text.bytes), rank: rank)
    case (_, .language): item.language = PlainText.read(text.bytes, isHTML: true, limit: 64)
    case (_, .identifier): item.id.offer(Values.identity(text.bytes), rank: Rank.inherited)
    default: break
    }
  }

  private func readModuleOfFeed(_ text: XMLText) {
    switch text.element.name {
    case .title: feed.title.offer(PlainText.title(text.bytes), rank: Rank.dublinCore)
    case .description:
      feed.summary.offer(
        PlainText.read(text.bytes, isHTML: true, limit: PlainText.maximumSummary),
        rank: Rank.dublinCore)
    case .creator, .author:
      feed.authors.add(Values.author(Array(text.bytes)), rank: Rank.dublinCore)
    case .contributor: feed.authors.add(Values.author(Array(text.bytes)), rank: Rank.contributor)
    case .publisher: feed.authors.add(Values.author(Array(text.bytes)), rank: Rank.inherited)
    case .language:
      feed.language.offer(
        PlainText.read(text.bytes, isHTML: true, limit: 64), rank: Rank.dublinCore)
    default: break
    }
  }

  /// Reads the RSS 1.0 Syndication module: a period and its number of updates.
  private func readSchedule(_ text: XMLText) {
    guard !isInItem else { return }
    switch text.element.name {
    case .updateperiod:
      let day = 86_400.0
      switch text.bytes.trimmed.map(\.asciiLowercased).string {
      case "hourly": feed.updatePeriod = 3600
      case "daily": feed.updatePeriod = day
      case "weekly": feed.updatePeriod = day * 7
      case "monthly": feed.updatePeriod = day * 30
      case "yearly": feed.updatePeriod = day * 365
      default: break
      }
    case .updatefrequency:
      if let times = Values.integer(text.bytes), times > 0, times <= 100_000 {
        feed.updateFrequency = Double(times)
      }
    default: break
    }
  }

  // MARK: Media RSS

  func openMedia(_ element: XMLElement) -> Reading {
    guard element.vocabulary == .media else { return .skip }
    switch element.name {
    case .group: return isInItem ? .children(.mediaGroup) : .skip
    case .content:
      guard isInItem else { return .skip }
      readMediaContent(element)
      return .children(.mediaContent)
    case .thumbnail:
      let address = Values.address(element[.url], in: element)
      guard address != nil else { return .text(.plain) }
      if isInItem {
        item.image.offer(address, rank: Rank.media)
      } else {
        feed.icon.offer(address, rank: Rank.media)
      }
      return .skip
    case .category:
      guard let label = element[.label]?.trimmedOrNil else { return .text(.plain) }
      addTag(PlainText.label(label))
      return .skip
    case .title, .description, .text, .keywords, .credit: return .text(.html)
    default: return .skip
    }
  }

  private func readMediaContent(_ element: XMLElement) {
    let address = Values.address(element[.url], in: element)
    let medium = element[.medium]?.trimmedOrNil?.lowercased()
    let type = MediaType.normalised(element[.type])
    item.enclosures.add(
      address, type: type, size: Values.size(element[.filesize]),
      duration: Values.duration(element[.duration]), medium: medium)
    if medium == "image" || type?.hasPrefix("image/") == true {
      item.image.offer(address, rank: Rank.inherited)
    }
  }

  func readMedia(_ text: XMLText) {
    guard text.element.vocabulary == .media else { return }
    let isPlain = text.element[.type]?.trimmedOrNil?.lowercased() == "plain"
    switch text.element.name {
    case .title where isInItem:
      item.title.offer(PlainText.title(text.bytes), rank: Rank.media)
    case .description where isInItem, .text where isInItem:
      // YouTube and others write plain lines, whatever the type says.
      let isText = isPlain || !text.bytes.contains(UInt8(ascii: "<"))
      item.summary.offer(
        Body(text.bytes, form: isText && !text.hasMarkup ? .text : .html, element: text.element),
        rank: text.element.name == .text ? Rank.lastResort : Rank.media)
    case .category: addTag(PlainText.label(text.bytes))
    case .keywords: addList(text.bytes)
    case .credit where isInItem:
      if text.element[.role]?.lowercased() == "author" {
        item.authors.add(Values.author(Array(text.bytes)), rank: Rank.media)
      }
    case .thumbnail where isInItem:
      item.image.offer(Values.address(text.bytes.string, in: text.element), rank: Rank.media)
    default: break
    }
  }

  // MARK: iTunes

  func openITunes(_ element: XMLElement) -> Reading {
    guard element.vocabulary == .itunes else { return .skip }
    switch element.name {
    case .image, .link:
      guard element.name == .image || element[.rel] == "image" else { return .skip }
      guard let address = element[.href] ?? element[.url] else {
        return .children(isInItem ? .itemImage : .image)
      }
      readImage(address, element)
      return .skip
    case .category:
      addTag(element[.text].flatMap { PlainText.label($0) })
      return .children(.category)
    case .owner: return isInItem ? .skip : openPerson()
    case .title, .author, .summary, .subtitle, .keywords, .duration, .newFeedURL:
      return .text(.html)
    default: return .skip
    }
  }

  func readITunes(_ text: XMLText) {
    let element = text.element
    switch (isInItem, element.name) {
    case (true, .title): item.title.offer(PlainText.title(text.bytes), rank: Rank.itunes)
    case (true, .author): item.authors.add(Values.author(Array(text.bytes)), rank: Rank.itunes)
    case (true, .summary):
      item.notes = item.notes ?? notes(text)
    case (true, .subtitle):
      item.summary.offer(Body(text.bytes, form: .html, element: element), rank: Rank.itunesShort)
    case (true, .keywords): addList(text.bytes)
    case (true, .duration): item.duration = item.duration ?? Values.duration(text.bytes.string)
    case (false, .author): feed.authors.add(Values.author(Array(text.bytes)), rank: Rank.itunes)
    case (false, .summary): feed.summary.offer(plainHTML(text), rank: Rank.itunes)
    case (false, .subtitle): feed.summary.offer(plainHTML(text), rank: Rank.itunesShort)
    case (false, .newFeedURL): feed.movedTo = Values.address(text.bytes.string, in: element)
    default: break
    }
  }

  /// Reads `itunes:summary`, which Apple defines as plain text with lines; many feeds write HTML.
  private func notes(_ text: XMLText) -> Body? {
    let isText =
      !text.hasMarkup && text.bytes.trimmed.contains(UInt8(ascii: "\n"))
      && !text.bytes.contains { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }
    return Body(text.bytes, form: isText ? .text : .html, element: text.element)
  }

  private func plainHTML(_ text: XMLText) -> String? {
    PlainText.read(text.bytes, isHTML: true, limit: PlainText.maximumSummary)
  }
}

// Podlove Simple Chapters 1.2: times, titles and addresses in attributes. Podcasting 2.0 names a
// file of chapters.
extension FeedReader {
  func openChapter(_ element: XMLElement) -> Reading {
    guard element.vocabulary == .chapters, element.name == .chapter,
      item.chapters.count < Chapter.most,
      let chapter = Chapter(
        start: element[.start], title: element[.title], address: element[.href],
        base: element.base)
    else { return .skip }
    item.chapters.append(chapter)
    return .skip
  }

  func openPodcast(_ element: XMLElement) -> Reading {
    if isInItem, element.name == .chapters {
      item.chaptersURL = Values.address(element[.url], in: element)
    }
    return .skip
  }
}

// Microsoft's Channel Definition Format (W3C submission of 1997): addresses in HREF attributes,
// dates in LASTMOD, texts in TITLE and ABSTRACT.
extension FeedReader {
  func readCDFChannel(_ element: XMLElement) {
    feed.homePage.offer(Values.address(element[.href], in: element), rank: Rank.own)
    feed.feedURL = feed.feedURL ?? Values.address(element[.selfAddress], in: element)
  }

  func readCDFItem(_ element: XMLElement) {
    item.url.offer(Values.address(element[.href], in: element), rank: Rank.own)
    if let date = element[.lastmod] {
      item.modified.offer(DateParser.parse(date), rank: Rank.own)
    }
  }
}
