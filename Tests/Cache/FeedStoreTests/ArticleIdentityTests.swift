/// Versions of a feed: which items are new.
@Suite("Identity of items") struct ArticleIdentityTests {
  /// - Parameter hours: the age of the item; `nil` without a date.
  private func item(
    _ id: String, _ title: String, _ url: String? = "https://example.org/builds",
    hours: Double? = nil, text: String? = nil
  ) -> ParsedItem {
    ParsedItem(
      id: id, url: url, title: title, contentHTML: text.map { "<p>\($0)</p>" },
      datePublished: hours.map { TestCache.start - $0 * 3_600 })
  }

  /// An item without an id, which its address identifies.
  private func unnamed(_ title: String, hours: Double) -> ParsedItem {
    var item = item("https://example.org/builds", title, hours: hours)
    item.hasOwnID = false
    return item
  }

  /// Merges versions, marks all read before the last, and returns the unread titles.
  private func new(_ versions: [ParsedItem]...) async throws -> [String] {
    let (cache, feed) = try await TestCache.withFeed()
    return try await new(versions, cache, feed)
  }

  private func new(
    _ versions: [[ParsedItem]], _ cache: TestCache, _ feed: FeedID
  ) async throws -> [String] {
    for (number, version) in versions.enumerated() {
      if number == versions.count - 1 {
        try await cache.states.set(.read, cache.all(.all).map(\.id), true)
      }
      cache.clock.now += 60
      try await cache.merge(feed, version)
    }
    return try cache.all(.unread).map(\.title).sorted()
  }

  @Test(
    "Items with new ids and later dates are new, however alike address and title are",
    arguments: [1, 3, 4], ["https://example.org/builds", "https://example.org/", nil] as [String?])
  func builds(count: Int, url: String?) async throws {
    func version(_ first: Int) -> [ParsedItem] {
      (first..<first + count).map {
        item("run-\($0)", "Build failed", url, hours: Double(99 - $0), text: "Run \($0)")
      }
    }
    #expect(try await new(version(1), version(1 + count)).count == count)
  }

  @Test("Items with new ids and no dates are new if they share their address")
  func undatedBuilds() async throws {
    func version(_ first: Int) -> [ParsedItem] {
      (first..<first + 4).map { item("run-\($0)", "Build failed", text: "Run \($0)") }
    }
    #expect(try await new(version(1), version(5)).count == 4)
  }

  @Test("Items of a day with one address and title are apart if only the text tells it")
  func warningsOfOneDay() async throws {
    func warning(_ number: Int) -> ParsedItem {
      item(
        "wx-\(number)", "Warning", hours: 10, text: "Wind of \(number)0 km/h in the whole region")
    }
    #expect(try await new([warning(1), warning(2)], [warning(3), warning(4)]).count == 2)
  }

  @Test("New ids of all items with the same dates, or without dates, make nothing new")
  func storms() async throws {
    for hours in [10, nil] as [Double?] {
      func version(_ number: Int) -> [ParsedItem] {
        (1...4).map { post in
          item(
            "\(number)-\(post)", "Post \(post)", "https://example.org/p\(post)",
            hours: hours.map { $0 + 24 * Double(post) }, text: "Text \(post) \(number)")
        }
      }
      #expect(try await new(version(1), version(2)) == [])
    }
  }

  @Test("A post that came twice, as only its date was left, is known by date and title or text")
  func secondVersions() async throws {
    func post(_ version: Int, _ title: String, _ text: String) -> ParsedItem {
      item(
        "\(version)", title, "https://h\(version).example/post", hours: 3.01,
        text: "The post as it was in its \(text) form")
    }
    let first = [post(1, "Post", "first"), post(2, "Post, revised", "second")]
    for third in [post(3, "Post, revised", "third"), post(3, "Post, again", "second")] {
      #expect(try await new([first[0]], [first[1]], [third]) == [])
    }
  }

  @Test("A date of a whole minute is no date of another item within that minute")
  func wholeMinutes() async throws {
    func report(_ number: Int, seconds: Double) -> ParsedItem {
      item("\(number)", "Report", hours: 10 - seconds / 3_600, text: "Report number \(number)")
    }
    let old = [report(1, seconds: 0), report(2, seconds: 61)]
    #expect(try await new(old, [report(3, seconds: 59)]) == ["Report"])
  }

  @Test("Items that share an id are told apart, also when only the newest is listed")
  func sharedIDs() async throws {
    func suite(_ number: Int, _ url: String?) -> ParsedItem {
      item("N/A", "Suite \(number)", url.map { $0 + "\(number)" }, hours: Double(50 - number))
    }
    for url in ["https://example.org/dl/", nil] as [String?] {
      let first = (1...3).map { suite($0, url) }
      #expect(try await new(first + [first[0]], first.reversed()) == [])
      #expect(try await new(first, [suite(4, url)] + first) == ["Suite 4"])
      #expect(try await new(first, [suite(4, url)], [suite(5, url)]) == ["Suite 5"])
      #expect(try await new(first, [suite(4, url)], [suite(4, url)]) == [])
    }
    // A first version with one item does not show that ids are shared.
    let one = [suite(1, "https://example.org/dl/")]
    #expect(try await new(one, [suite(2, "https://example.org/dl/")] + one) == ["Suite 2"])
  }

  @Test("Items without an id, with one address and title, are one for each date")
  func recurring() async throws {
    func report(_ day: Int, isAlone: Bool = false) -> ParsedItem {
      var report = unnamed("Report", hours: Double(100 - 24 * day))
      if !isAlone { report.id = "digest \(day)" }
      return report
    }
    #expect(try await new([report(1, isAlone: true)], [report(2), report(1)]) == ["Report"])
    #expect(try await new([report(2), report(1)], [report(3), report(2), report(1)]).count == 1)
    let alone = (1...4).map { report($0, isAlone: true) }
    #expect(try await new([alone[0]], [alone[1]], [alone[2]], [alone[3]]).count == 1)
    #expect(try await new([alone[0]], [alone[1]], [alone[0]]) == [])
    #expect(try await new([alone[0]], [alone[1]], [alone[1]]) == [])
    // An edited title alone makes nothing new.
    var edited = alone[1]
    edited.title = "Report, corrected"
    #expect(try await new([alone[0]], [alone[1]], [edited]) == [])
  }

  @Test("A deleted item without an id stays deleted, and the next one is new")
  func deletedRecurring() async throws {
    let (cache, feed) = try await TestCache.withFeed()
    let first = try await cache.merge(feed, [unnamed("Report", hours: 48)]).added
    try await cache.states.delete(first)
    #expect(try await new([[unnamed("Report", hours: 48)]], cache, feed) == [])
    cache.clock.now += 31 * 86_400
    try await cache.store.maintenance.tidy()
    #expect(try await new([[unnamed("Report", hours: 48)]], cache, feed) == [])
    #expect(try await new([[unnamed("Report", hours: 24)]], cache, feed) == ["Report"])
  }

  @Test("An id with another title, address and date is a new article that shows the old text")
  func reusedID() async throws {
    let (cache, feed) = try await TestCache.withFeed()
    let old = item("71", "The 7 best", "https://example.org/7", hours: 90, text: "Old text")
    let now = item("71", "The 10 best", "https://example.org/10", hours: 2, text: "New text")
    #expect(try await new([[old], [now]], cache, feed) == ["The 10 best"])
    let id = try #require(try cache.all(.unread).first).id
    #expect(try cache.articles.revisions(of: id).map(\.bodyHTML) == ["<p>Old text</p>"])
    #expect(try await new([[now]], cache, feed) == [])
    var edited = now
    edited.title = "The ten best"
    #expect(try await new([[edited]], cache, feed) == [])
    #expect(try cache.all(.all).map(\.title) == ["The ten best", "The 7 best"])
    // Two of title, address and date may change.
    for change in [\ParsedItem.title, \.url] {
      var item = old
      item[keyPath: change] = "https://example.org/other"
      item.datePublished = TestCache.start
      #expect(try await new([old], [item]) == [])
    }
  }

  // MARK: Moved feeds

  /// A way in which publishers alter a document.
  private struct Alteration: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var change: @Sendable (inout ParsedItem) -> Void

    init(_ name: String, _ change: @escaping @Sendable (inout ParsedItem) -> Void) {
      (testDescription, self.change) = (name, change)
    }
  }

  private typealias Change = @Sendable (inout ParsedItem) -> Void

  private static func replacing(_ old: String, _ new: String) -> Change {
    { item in
      item.url = item.url?.replacing(old, with: new)
      item.id = item.url ?? ""
    }
  }

  /// Twenty alterations of all items, where the id is the address.
  private static let alterations: [Alteration] = [
    Alteration("host", replacing("me.example", "blog.me.example")),
    Alteration("scheme", replacing("http:", "https:")),
    Alteration("www", replacing("//me", "//www.me")),
    Alteration("path", replacing("/2026/", "/posts/")),
    Alteration("suffix", replacing(".html", "")),
    Alteration("suffix and final slash", replacing(".html", "/")),
    Alteration("slug", replacing("a-note-on", "note-on")),
    Alteration("tracking", replacing(".html", ".html?utm_source=rss&utm_id=7")),
    Alteration("session", replacing(".html", ".html;jsessionid=AB12")),
    Alteration("query", replacing("/2026/", "/?page=")),
    Alteration("ids alone") { $0.id = "urn:uuid:\($0.id)" },
    Alteration("ids by an aggregator, texts with its advertisement") {
      $0.id = "tag:reader.example,2026:\($0.id)"
      $0.contentHTML? += "<p>Advertisement</p>"
    },
    Alteration("ids dropped") { ($0.id, $0.hasOwnID) = ($0.url ?? "", false) },
    Alteration("Atom with the last change alone") {
      ($0.id, $0.dateModified, $0.datePublished) = ("tag:\($0.id)", $0.datePublished, nil)
    },
    Alteration("dates without seconds") {
      let time = ($0.datePublished ?? .distantPast).timeIntervalSince1970
      ($0.id, $0.datePublished) = ("m\($0.id)", Date(timeIntervalSince1970: time - 7))
    },
    Alteration("dates without time") {
      let time = ($0.datePublished ?? .distantPast).timeIntervalSince1970
      let day = time - time.truncatingRemainder(dividingBy: 86_400)
      ($0.id, $0.datePublished) = ("d\($0.id)", Date(timeIntervalSince1970: day))
    },
    Alteration("no dates") { ($0.id, $0.datePublished) = ("n\($0.id)", nil) },
    Alteration("capitals in titles") {
      replacing("me.example", "new.example")(&$0)
      $0.title = $0.title?.uppercased()
    },
    Alteration("titles and addresses") {
      replacing("a-note-on", "some-notes-on")(&$0)
      $0.title = $0.title.map { "Some notes: \($0)" }
    },
    Alteration("excerpts in place of texts") {
      replacing("me.example", "new.example")(&$0)
      ($0.contentHTML, $0.summary) = (nil, "An excerpt")
    },
  ]

  private static let posts = (1...10).map { number in
    ParsedItem(
      id: "http://me.example/2026/a-note-on-\(number).html",
      url: "http://me.example/2026/a-note-on-\(number).html", title: "A note on \(number)",
      contentHTML: "<p>What I have to say about the subject of number \(number).</p>",
      datePublished: TestCache.start - Double(number) * 86_400 - Double(number * 67 % 59) * 60 + 7)
  }

  @Test("No way in which publishers alter feeds makes known items new", arguments: alterations)
  private func altered(by alteration: Alteration) async throws {
    var (all, some) = (Self.posts, Self.posts)
    for index in all.indices { alteration.change(&all[index]) }
    alteration.change(&some[4])
    let post = ParsedItem(
      id: "new", url: "https://new.example/1", title: "New address", contentHTML: "<p>Hello.</p>",
      datePublished: TestCache.start)
    #expect(try await new(Self.posts, [post] + all) == ["New address"])
    // One item alone, as after an edit.
    #expect(try await new(Self.posts, [post] + some) == ["New address"])
  }
}
