/// One change: a value of one field, for a feed, for articles of a feed, or for an object.
package struct Entry: Sendable, Hashable {
  package enum Subject: Sendable, Hashable {
    case feed(FeedKey)
    case articles(FeedKey, [ArticleIdentity])
    case object(ObjectID)
    /// An entry of a later version, which is kept and not applied.
    case none
  }

  /// Consecutive from 1 on each device.
  package var number: UInt64
  package var time: Timestamp
  /// The times of its articles, none before `time`; empty if they all have `time`. Compaction
  /// combines changes of single articles into one entry.
  package var times: [Timestamp] = []
  package var subject: Subject
  package var field: Field
  package var value: JSONValue
  /// The other members: a subscription's `url` and `title`, `password`, the `place` of a search or
  /// rule among the others, the `folders` of an order, the `former` folder of a feed if it was
  /// renamed or deleted, and those of later versions.
  package var rest: [String: JSONValue]

  package init(
    number: UInt64, time: Timestamp, subject: Subject, field: Field, value: JSONValue,
    rest: [String: JSONValue] = [:]
  ) {
    (self.number, self.time, self.subject) = (number, time, subject)
    (self.field, self.value, self.rest) = (field, value, rest)
  }

  package var latest: Timestamp { times.max() ?? time }

  // MARK: As text

  /// Parses a line. The line is malformed if the value of a member that the format defines is not
  /// valid.
  package init(line: some Collection<UInt8>) throws(Rejection) {
    guard var members = JSONValue(line)?.members,
      let number = members.removeValue(forKey: "n")?.integer, number >= 1, number <= Limits.number,
      let text = members.removeValue(forKey: "t")?.text, let time = Timestamp(text: text)
    else { throw .malformed }
    (self.number, self.time) = (UInt64(number), time)
    guard let key = members["k"]?.text, members["f"] != nil || members["u"] != nil else {
      (subject, field, value, rest) = (.none, Field(rawValue: ""), .null, members)
      return
    }
    (field, value) = (Field(rawValue: key), members["v"] ?? .null)
    switch (members["f"]?.text, members["u"]?.text, members["i"]) {
    case (let text?, nil, nil):
      guard let feed = FeedKey(text: text) else { throw .malformed }
      subject = .feed(feed)
    case (let text?, nil, .string(let items)?):
      guard let feed = FeedKey(text: text), let articles = ArticleIdentity.list(items) else {
        throw .malformed
      }
      subject = .articles(feed, articles)
      guard let distances = members.removeValue(forKey: "d") else { break }
      let words = distances.text?.split(separator: " ", omittingEmptySubsequences: false) ?? []
      times = words.compactMap(time.after)
      guard times.count == articles.count, times.count == words.count else { throw .malformed }
    case (nil, let text?, nil):
      guard let object = ObjectID(text: text) else { throw .malformed }
      subject = .object(object)
    default: throw .malformed
    }
    for name in ["k", "v", "f", "u", "i"] { members[name] = nil }
    rest = members
  }

  /// The entry as a line of the file, with the line end.
  package var line: [UInt8] {
    var members: [(String, JSONValue)] = [
      ("n", .integer(Int64(number))), ("t", .string(time.text)),
    ]
    switch subject {
    case .feed(let feed), .articles(let feed, _): members.append(("f", .string(feed.text)))
    case .object(let object): members.append(("u", .string(object.text)))
    case .none: break
    }
    if subject != .none { members += [("k", .string(field.rawValue)), ("v", value)] }
    if case .articles(_, let articles) = subject {
      members.append(("i", .string(ArticleIdentity.text(articles))))
      if !times.isEmpty {
        let distances = times.map { $0.distance(after: time) }.joined(separator: " ")
        members.append(("d", .string(distances)))
      }
    }
    let first = ["url", "title"].filter { rest[$0] != nil }
    members += first.map { ($0, rest[$0] ?? .null) }
    return JSONValue.line(members + JSONValue.sorted(rest).filter { !first.contains($0.0) })
  }

  // MARK: Registers

  package func registers(from device: DeviceID) -> [(key: RegisterKey, value: Register)] {
    var register = Register(stamp: Stamp(time, device), value: value, rest: rest)
    if let tag = field.tag, field != field.folded { register.rest["tag"] = .string(tag) }
    switch subject {
    case .feed(let feed): return [(RegisterKey(.feed(feed), field), register)]
    case .object(let object): return [(RegisterKey(.object(object), field), register)]
    case .articles(let feed, let articles):
      return articles.enumerated().map { index, article in
        register.link = article.link
        if index < times.count { register.stamp.time = times[index] }
        return (RegisterKey(.article(feed, item: article.item), field), register)
      }
    case .none: return []
    }
  }

  /// Returns the part with times up to a limit; `nil` if there is none.
  package func upTo(_ limit: Timestamp) -> Entry? {
    guard latest > limit else { return self }
    guard case .articles(let feed, let articles) = subject, time <= limit else { return nil }
    let chosen = times.indices.filter { times[$0] <= limit }
    var part = self
    part.subject = .articles(feed, chosen.map { articles[$0] })
    part.times = chosen.map { times[$0] }
    return chosen.isEmpty ? nil : part
  }

  /// Returns entries with at most `count` articles each, which together set the same registers.
  package func parts(of count: Int) -> [Entry] {
    guard case .articles(let feed, let articles) = subject, articles.count > count else {
      return [self]
    }
    return stride(from: 0, to: articles.count, by: count).map { start in
      let range = start..<min(articles.count, start + count)
      var part = self
      part.subject = .articles(feed, Array(articles[range]))
      if !times.isEmpty { part.times = Array(times[range]) }
      return part
    }
  }
}

/// Creates the entries of this device, with their numbers and times.
package struct EntryAuthor: Sendable, Equatable {
  package let device: DeviceID
  /// Stored with the clock, in the transaction of the change.
  package private(set) var lastNumber: UInt64
  package var clock: HybridClock

  package init(device: DeviceID, lastNumber: UInt64, clock: HybridClock) {
    (self.device, self.lastNumber, self.clock) = (device, lastNumber, clock)
  }

  /// - Parameter current: the time of the newest state that it replaces.
  package mutating func nextEntry(
    _ field: Field, of subject: Entry.Subject, _ value: JSONValue, rest: [String: JSONValue] = [:],
    wall milliseconds: Int64, after current: Timestamp?
  ) throws(Rejection) -> Entry {
    let draft = Entry(
      number: lastNumber + 1, time: .onboarding, subject: subject, field: field, value: value,
      rest: rest)
    var entry = try draft.admitted()
    entry.time = clock.next(wall: milliseconds, after: current)
    lastNumber += 1
    return entry
  }

  /// Numbers the entries of an onboarding plan, whose times the plan has set.
  package mutating func number(_ entries: [Entry]) -> [Entry] {
    entries.map { entry in
      var entry = entry
      lastNumber += 1
      entry.number = lastNumber
      return entry
    }
  }

  /// Returns the author under a new device ID, after `OwnIdentity.cloned` or `.restored`, with the
  /// newest own values to write again. They keep their times.
  /// - Parameter device: larger than the old ID. The values then win over the same changes under
  ///   the old ID, which only some devices may have.
  package func renewed(
    as device: DeviceID, own entries: [Entry]
  ) -> (author: EntryAuthor, entries: [Entry]) {
    var author = EntryAuthor(device: device, lastNumber: 0, clock: clock)
    let entries = author.number(Compaction.newest(entries, of: self.device))
    return (author, entries)
  }
}
