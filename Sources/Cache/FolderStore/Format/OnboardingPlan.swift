/// A subscription of this machine before onboarding. Feeds of accounts are left out.
package struct LocalFeed: Sendable {
  package var address: String
  package var title = ""
  package var name: String?
  package var folder: [String] = []
  package var options: [FeedOption: String] = [:]

  package init(address: String) { self.address = address }
}

/// The changes that onboarding to a shared folder makes, for the preview and for the transaction.
package struct OnboardingPlan: Sendable {
  package enum Mode: Sendable {
    /// The union of both. Where a feed's name or place differs, that of the shared folder wins.
    case merge
    /// Feeds that the folder does not have are unsubscribed here.
    case takeTheirs
  }

  /// Numbers of feeds for the preview.
  package private(set) var there = 0
  package private(set) var here: Int
  package private(set) var same = 0
  /// The key of each local feed.
  package private(set) var keys: [FeedKey] = []
  /// Entries to write, with their times and without numbers.
  package private(set) var entries: [Entry] = []
  /// Indices of local feeds to unsubscribe.
  package private(set) var unsubscribed: [Int] = []
  /// Indices of local feeds that are the same feed as an earlier one, for example with http and
  /// https.
  package private(set) var duplicates: [Int] = []

  package init(_ local: [LocalFeed], onboarding state: MergedState, _ mode: Mode) {
    here = local.count
    let feeds = state.feeds()
    var shared: [FeedKey: SharedFeed] = [:]
    var keysOfAddresses: [String: FeedKey] = [:]
    for feed in feeds {
      for key in feed.keys { shared[key] = feed }
      if let address = feed.address { keysOfAddresses[FeedAddress.normalized(address)] = feed.key }
    }
    var met: Set<FeedKey> = []
    for (index, feed) in local.enumerated() {
      let address = FeedAddress.normalized(feed.address)
      let own = FeedKey(address: feed.address)
      let theirs = shared[keysOfAddresses[address] ?? own]
      keys.append(theirs?.key ?? own)
      guard met.insert(keys[index]).inserted else {
        duplicates.append(index)
        continue
      }
      if theirs?.isSubscribed == true {
        same += 1
      } else if mode == .takeTheirs {
        unsubscribed.append(index)
        continue
      }
      export(feed, under: keys[index], theirs)
    }
    there = feeds.count(where: \.isSubscribed)
  }

  /// Exports the fields that the folder does not have.
  private mutating func export(
    _ feed: LocalFeed, under key: FeedKey, _ theirs: SharedFeed?
  ) {
    func isMissing(_ field: Field) -> Bool { theirs?.fields[field.folded] == nil }
    if theirs?.isSubscribed != true {
      // If the folder has unsubscribed the feed, the new entry is later than that, so that
      // onboarding unsubscribes no feed.
      add(
        .feed(key), .subscribed, .integer(1),
        rest: ["url": .string(feed.address), "title": .string(feed.title)],
        at: theirs?.fields[.subscribed]?.stamp.time.next ?? .onboarding)
    }
    if let name = feed.name, isMissing(.name) { add(.feed(key), .name, .string(name)) }
    if isMissing(.folder) {
      add(.feed(key), .folder, .array(feed.folder.map { .string($0) }))
    }
    for (option, text) in feed.options.sorted(by: { $0.key.rawValue < $1.key.rawValue })
    where isMissing(.option(option)) {
      add(.feed(key), .option(option), .string(text))
    }
  }

  /// Adds an entry if it may be shared.
  private mutating func add(
    _ subject: Entry.Subject, _ field: Field, _ value: JSONValue, rest: [String: JSONValue] = [:],
    at time: Timestamp = .onboarding
  ) {
    let entry = Entry(
      number: 0, time: time, subject: subject, field: field, value: value, rest: rest)
    if let admitted = try? entry.admitted() { entries.append(admitted) }
  }
}
