import Foundation
import ProgramSettings

/// JSON on standard output: keys in alphabetical order, dates in ISO 8601, one value per line.
enum JSONOutput {
  static func text(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    return SafeText.json(String(decoding: try encoder.encode(value), as: UTF8.self))
  }

  static func print(_ value: some Encodable) throws {
    try Console.write(Array((text(value) + "\n").utf8))
  }

  /// Prints an array, one element per line.
  static func print(elements: some Sequence<JSONObject>) throws {
    var printed = Elements()
    for element in elements { try printed.add(element) }
    try printed.end()
  }

  /// An array that is printed element by element, one per line.
  struct Elements {
    private var isFirst = true

    mutating func add(_ value: some Encodable) throws {
      try Console.write(Array(((isFirst ? "[" : ",") + "\n" + text(value)).utf8))
      isFirst = false
    }

    func end() throws { try Console.write(Array((isFirst ? "[]\n" : "\n]\n").utf8)) }
  }
}

/// An object of the JSON that commands print; fields that are `nil` are absent.
struct JSONObject: Encodable, ExpressibleByDictionaryLiteral {
  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private(set) var fields: [String: (any Encodable)?]

  init(dictionaryLiteral fields: (String, (any Encodable)?)...) {
    self.fields = Dictionary(uniqueKeysWithValues: fields)
  }

  func adding(_ name: String, _ value: some Encodable) -> JSONObject {
    var object = self
    object.fields[name] = value
    return object
  }

  static func pieces(_ text: MarkedText) -> [JSONObject] {
    text.pieces.map { ["text": String($0.text), "isHit": $0.isHit] }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    for case (let name, let value?) in fields {
      try container.encode(value, forKey: Name(stringValue: name))
    }
  }
}

extension Feed {
  func json(folder: [String], isRefreshing: Bool, _ wording: FailureWording) -> JSONObject {
    [
      "id": id.rawValue, "url": SafeText.withoutSecrets(url),
      "name": SafeText.withoutSecrets(name), "folder": folder, "homePage": homePageURL,
      "total": counts.total, "unread": counts.unread, "starred": counts.starred,
      "state": FeedCondition(self, isRefreshing: isRefreshing), "checkedAt": state.checkedAt,
      "succeededAt": state.succeededAt, "nextCheckAt": state.nextCheckAt,
      "nextCheckReason": NextCheckWording.reasons(state.nextCheckReasons),
      "nextCheck": NextCheckWording(dates: wording.dates).sentence(for: self),
      "isList": isList ? true : nil, "priority": priority == .normal ? nil : priority.name,
      "asleepUntil": snoozedUntil,
      "movedTo": state.movedTo.map(SafeText.withoutSecrets), "failure": failureJSON(wording),
    ]
  }

  func failureJSON(_ wording: FailureWording) -> JSONObject? {
    state.failure.map {
      [
        "kind": $0.kind.rawValue, "status": $0.status, "since": $0.since, "count": $0.count,
        "detail": $0.detail.map { SafeText.withoutSecrets(DetailWording.words($0)) },
        "message": SafeText.withoutSecrets(wording.happened($0, at: url)),
      ]
    }
  }

  /// True if the feed is scheduled, unlike feeds of accounts, but was not checked yet.
  var awaitsFirstCheck: Bool { state.checkedAt == nil && state.nextCheckAt != nil }

  func refreshJSON(newArticles: Int) -> JSONObject {
    let failure = failureJSON(.now)
    return [
      "feed": id.rawValue, "name": SafeText.withoutSecrets(name),
      "url": SafeText.withoutSecrets(url), "outcome": failure == nil ? "ok" : "failed",
      "newArticles": newArticles, "failure": failure,
    ]
  }
}

/// A feed's state in one word.
enum FeedCondition: String, Encodable {
  case ok, refreshing, failing, gone, moved, paused, new

  init(_ feed: Feed, isRefreshing: Bool) {
    let conditions: [(Bool, FeedCondition)] = [
      (feed.state.failure?.kind == .gone, .gone), (feed.isPaused, .paused),
      (isRefreshing, .refreshing), (feed.state.failure != nil, .failing),
      (feed.state.movedTo != nil, .moved), (feed.awaitsFirstCheck, .new),
    ]
    self = conditions.first { $0.0 }?.1 ?? .ok
  }
}

extension ArticleRow {
  func json(_ labels: (tags: [String], authors: [String])?, minutes: Int?) -> JSONObject {
    [
      "id": id.rawValue, "feed": feed.rawValue, "feedName": feedName, "title": title, "url": url,
      "authors": labels?.authors, "date": sortDate, "read": status.isRead,
      "starred": status.isStarred, "later": status.isLater, "tags": labels?.tags,
      "hasEnclosure": hasEnclosure, "words": words > 0 ? words : nil, "minutes": minutes,
      "asleepUntil": snoozedUntil,
    ]
  }
}

extension ReaderCache {
  func json(_ rows: [ArticleRow]) throws(StoreError) -> [JSONObject] {
    let labels = try states.labels(of: rows.map(\.id))
    return rows.map { row in
      row.json(labels[row.id], minutes: row.words > 0 ? plan.minutes(ofWords: row.words) : nil)
    }
  }
}

extension Article {
  /// - Parameter tags: the user's tags; `tags` of the article are the publisher's.
  func json(tags userTags: [String], text: String) -> JSONObject {
    [
      "id": id.rawValue, "feed": row.feed.rawValue, "feedName": row.feedName, "title": row.title,
      "url": row.url, "externalURL": externalURL, "commentsURL": commentsURL, "authors": authors,
      "date": row.sortDate, "publishedAt": publishedAt, "updatedAt": updatedAt,
      "firstSeenAt": firstSeenAt, "read": row.status.isRead, "starred": row.status.isStarred,
      "later": row.status.isLater,
      "imageURL": imageURL, "language": language, "categories": tags, "tags": userTags,
      "summary": summary, "html": bodyHTML, "text": text, "enclosures": enclosures,
      "asleepUntil": row.snoozedUntil,
    ]
  }
}
