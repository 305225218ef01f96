@Suite("Entries and their fields") struct EntryTests {
  private static func entry(_ members: String) throws(Rejection) -> Entry {
    try Entry(line: Array("{\"n\":1,\"t\":\"019b2c7f10a00000\",\(members)}".utf8))
  }

  private static let feed = "\"f\":\"8c1d000000000001\""
  private static let item = feed + ",\"i\":\"AAAAAAAAAAE-----------\""
  private static let object = "\"u\":\"0b5e000000000001\""

  @Test(
    "A value that a field can have is admitted unchanged",
    arguments: [
      "\(feed),\"k\":\"sub\",\"v\":1,\"url\":\"https://lwn.net/\",\"title\":\"LWN\"",
      "\(feed),\"k\":\"sub\",\"v\":0", "\(feed),\"k\":\"name\",\"v\":\"x\"",
      "\(feed),\"k\":\"name\",\"v\":null", "\(feed),\"k\":\"url\",\"v\":\"https://lwn.net/\"",
      "\(feed),\"k\":\"folder\",\"v\":[\"News\",\"Linux\"]", "\(feed),\"k\":\"folder\",\"v\":[]",
      "\(feed),\"k\":\"alias\",\"v\":\"8c1d000000000002\"", "\(feed),\"k\":\"alias\",\"v\":null",
      "\(feed),\"k\":\"option:keep-days\",\"v\":\"30\"",
      "\(feed),\"k\":\"option:keep-days\",\"v\":null", "\(feed),\"k\":\"tag:linux\",\"v\":1",
      "\(item),\"k\":\"read\",\"v\":1", "\(item),\"k\":\"starred\",\"v\":0",
      "\(item),\"k\":\"deleted\",\"v\":1", "\(item),\"k\":\"snoozed\",\"v\":1750000000000",
      "\(item),\"k\":\"tag:later\",\"v\":0", "\(item),\"k\":\"position\",\"v\":[-1,1000]",
      "\(object),\"k\":\"search\",\"v\":{\"name\":\"a\",\"query\":\"b\"}",
      "\(object),\"k\":\"rule\",\"v\":{\"query\":\"title:/deals/\",\"later\":[1]}",
      "\(object),\"k\":\"rule\",\"v\":0",
      "\(object),\"k\":\"order\",\"v\":{\"folder\":[],\"feeds\":[\"8c1d000000000001\"]}",
      "\(item),\"d\":\"C\",\"k\":\"read\",\"v\":1",
      "\(item),\"k\":\"mood\",\"v\":{\"a\":[1.5]},\"also\":\"é\"", "\"k\":\"x\"", "\"new\":[1]",
    ])
  func admits(members: String) throws {
    let entry = try Self.entry(members)
    let admitted = try entry.admitted()
    #expect(admitted == entry)
    let again = try Entry(line: entry.line.dropLast())
    #expect(again == entry)
  }

  @Test(
    "A value that a field cannot have is rejected",
    arguments: [
      "\(feed),\"k\":\"sub\",\"v\":1",
      "\(feed),\"k\":\"sub\",\"v\":2,\"url\":\"https://a.example/\"",
      "\(feed),\"k\":\"sub\",\"v\":1,\"url\":\"javascript:x\"",
      "\(feed),\"k\":\"sub\",\"v\":0,\"url\":7", "\(feed),\"k\":\"sub\",\"v\":true",
      "\(item),\"k\":\"sub\",\"v\":0", "\(feed),\"k\":\"name\",\"v\":1",
      "\(feed),\"k\":\"name\",\"v\":\"a\\u001b\"", "\(feed),\"k\":\"url\",\"v\":\"\"",
      "\(feed),\"k\":\"url\",\"v\":null,\"url\":\"https://a.example/\"",
      "\(feed),\"k\":\"folder\",\"v\":\"News\"", "\(feed),\"k\":\"folder\",\"v\":[\"\"]",
      "\(feed),\"k\":\"folder\",\"v\":[1]", "\(feed),\"k\":\"alias\",\"v\":\"x\"",
      "\(feed),\"k\":\"option:keep-days\",\"v\":\"many\"",
      "\(feed),\"k\":\"option:keep-days\",\"v\":30", "\(feed),\"k\":\"read\",\"v\":1",
      "\(item),\"k\":\"read\",\"v\":\"1\"", "\(item),\"k\":\"read\"",
      "\(item),\"k\":\"snoozed\",\"v\":-1", "\(item),\"k\":\"tag:\",\"v\":1",
      "\(item),\"k\":\"tag:a b\",\"v\":1", "\(object),\"k\":\"tag:a\",\"v\":1",
      "\(item),\"k\":\"position\",\"v\":[1,1001]", "\(item),\"k\":\"position\",\"v\":[1]",
      "\(item),\"k\":\"position\",\"v\":[-2,0]",
      "\(object),\"k\":\"search\",\"v\":{\"name\":\"a\"}",
      "\(object),\"k\":\"rule\",\"v\":1", "\(feed),\"k\":\"rule\",\"v\":0",
      "\(object),\"k\":\"order\",\"v\":{\"folder\":[],\"feeds\":[\"x\"]}",
      "\(feed),\"i\":\"\",\"k\":\"read\",\"v\":1",
    ])
  func rejects(members: String) {
    #expect(throws: Rejection.value) { try Self.entry(members).admitted() }
  }

  @Test(
    "Settings with secrets travel in neither direction",
    arguments: ["proxy", "headers", "cookies"])
  func secrets(option: String) throws {
    let entry = try Self.entry("\(Self.feed),\"k\":\"option:\(option)\",\"v\":null")
    #expect(throws: Rejection.secret) { try entry.admitted() }
    var author = EntryAuthor(
      device: DeviceID(rawValue: 1), lastNumber: 7, clock: HybridClock(last: .onboarding))
    #expect(throws: Rejection.secret) {
      try author.nextEntry(entry.field, of: entry.subject, .string("X-A: b"), wall: 0, after: nil)
    }
    #expect(author.lastNumber == 7)
  }

  @Test("An address loses its password in both directions and is marked") func passwords() throws {
    for members in [
      "\(Self.feed),\"k\":\"sub\",\"v\":1,\"url\":\"https://me:pw@a.example/\"",
      "\(Self.feed),\"k\":\"url\",\"v\":\"https://me:pw@a.example/\"",
    ] {
      let entry = try Self.entry(members).admitted()
      let text = String(decoding: entry.line, as: UTF8.self)
      #expect(text.contains("\"https://a.example/\"") && text.contains("\"password\":1"))
      #expect(!text.contains("pw@"))
    }
  }

  @Test(
    "A line that is not an entry is malformed",
    arguments: [
      "", "x", "[]", "{}", "{\"n\":1}", "{\"n\":0,\"t\":\"019b2c7f10a00000\"}",
      "{\"n\":1,\"t\":\"f19b2c7f10a00000\"}", "{\"n\":1.5,\"t\":\"019b2c7f10a00000\"}",
      "{\"n\":1,\"t\":\"019b2c7f10a00000\",\"k\":\"sub\",\"f\":\"x\"}",
      "{\"n\":1,\"t\":\"019b2c7f10a00000\",\"k\":\"sub\",\"f\":1}",
      "{\"n\":1,\"t\":\"019b2c7f10a00000\",\"k\":\"read\",\(feed),\"i\":\"AAAAAAAAAAE\"}",
      "{\"n\":1,\"t\":\"019b2c7f10a00000\",\"k\":\"read\",\(feed),\"i\":\"AAAAAAAAAAB-----------\"}",
      "{\"n\":1,\"t\":\"019b2c7f10a00000\",\"k\":\"read\",\(feed),\"i\":\"AAAAAAAAAAE----------\"}",
      "{\"n\":1,\"t\":\"019b2c7f10a00000\",\"k\":\"rule\",\(object),\"i\":\"\"}",
      "{\"n\":1,\"t\":\"019b2c7f10a00000\",\"k\":\"read\",\"v\":1,\(item),\"d\":\"A B\"}",
      "{\"n\":1,\"t\":\"019b2c7f10a00000\",\"k\":\"read\",\"v\":1,\(item),\"d\":\"\"}",
      "{\"n\":1,\"t\":\"019b2c7f10a00000\",\"k\":\"read\",\"v\":1,\(item),\"d\":\"BA\"}",
      "{\"n\":1,\"t\":\"019b2c7f10a00000\",\"k\":\"read\",\"v\":1,\(item),\"d\":1}",
      "{\"n\":1,\"t\":\"019b2c7f10a00000\",\"k\":\"read\",\"v\":1,\(item),\"d\":\"_________B\"}",
      "{\"n\":1,\"t\":\"019b2c7f10a00000\",\"k\":\"rule\",\(object),\(feed)}",
    ])
  func malformed(line: String) {
    #expect(throws: Rejection.malformed) { try Entry(line: Array(line.utf8)) }
  }

  @Test("Values that exceed a limit are too long") func limits() throws {
    let long = String(repeating: "x", count: 20_000)
    for members in [
      "\(Self.feed),\"k\":\"name\",\"v\":\"\(long)\"",
      "\(Self.feed),\"k\":\"folder\",\"v\":[\"\(long)\"]",
      "\(Self.feed),\"k\":\"folder\",\"v\":[\(Array(repeating: "\"a\"", count: 9).joined(separator: ","))]",
      "\(Self.item),\"k\":\"tag:\(long)\",\"v\":1", "\(Self.item),\"k\":\"new\",\"v\":\"\(long)\"",
      "\(Self.item),\"k\":\"read\",\"v\":1,\"new\":\"\(long)\"",
      "\(Self.object),\"k\":\"rule\",\"v\":{\"query\":\"\(long)\"}",
      "\(Self.object),\"k\":\"rule\",\"v\":{\"query\":\"a\",\"new\":\"\(long)\"}",
    ] {
      #expect(throws: Rejection.tooLong) { try Self.entry(members).admitted() }
    }
    let articles = (0...Limits.articles).map { ArticleIdentity(item: UInt64($0), link: nil) }
    let entry = Entry(
      number: 1, time: .onboarding, subject: .articles(FeedKey(rawValue: 1), articles),
      field: .read, value: .integer(1))
    #expect(throws: Rejection.tooLong) { try entry.admitted() }
  }

  @Test("A tag has one key however its letters are composed") func composition() throws {
    let composed = try Self.entry("\(Self.item),\"k\":\"tag:caf\\u00e9\",\"v\":1")
    let decomposed = try Self.entry("\(Self.item),\"k\":\"tag:cafe\\u0301\",\"v\":1")
    #expect(composed.line == decomposed.line)
  }

  @Test("A tag has one register in any case of its ASCII letters, with its spelling")
  func tagCase() throws {
    let registers = try ["Work", "work", "\u{C9}T\u{C9}", "\u{E9}t\u{E9}"].map { tag in
      try Self.entry("\(Self.item),\"k\":\"tag:\(tag)\",\"v\":1").registers(from: Samples.laptop)[0]
    }
    #expect(registers[0].key == registers[1].key)
    #expect(registers[0].value.spelled(registers[0].key.field) == .tag("Work"))
    #expect(registers[1].value.spelled(registers[1].key.field) == .tag("work"))
    #expect(registers[2].key != registers[3].key)
  }

  @Test("Programs of a rule that arrives are apart from its other actions") func rules() {
    let rule = ArrivingRule("hide run:deploy tag:x dance:2 score:-5")
    #expect(rule.actions == [.hide, .tag("x")])
    #expect(rule.programs == [.run("deploy")])
    #expect(rule.unknown == ["dance:2", "score:-5"])
  }

  @Test("Every field is read as it is written") func keys() {
    for key in [
      "sub", "name", "url", "folder", "alias", "option:interval", "read", "starred", "deleted",
      "snoozed", "tag:x", "tag:", "position", "search", "rule", "order", "option:new", "other", "",
    ] {
      #expect(Field(rawValue: key).rawValue == key)
    }
  }

  @Test("The parts of an entry set its registers", arguments: [1, 2, 3, 7, 100])
  func parts(count: Int) {
    let articles = (1...7).map { Samples.article(UInt64($0)) }
    var entry = Entry(
      number: 5, time: Timestamp(milliseconds: 3), subject: .articles(Samples.feed, articles),
      field: .read, value: .integer(1), rest: ["x": .integer(2)])
    for times in [[], (3...9).map { Timestamp(milliseconds: $0) }] {
      entry.times = times
      let parts = entry.parts(of: count)
      #expect(parts.count == (7 + count - 1) / count)
      let registers = parts.flatMap { $0.registers(from: Samples.laptop) }
      let whole = entry.registers(from: Samples.laptop)
      #expect(registers.map(\.key) == whole.map(\.key))
      #expect(registers.map(\.value) == whole.map(\.value))
    }
  }

  @Test("Changes are numbered, and are later than the state that they replace")
  func author() throws {
    var author = EntryAuthor(
      device: DeviceID(rawValue: 1), lastNumber: 4, clock: HybridClock(last: .onboarding))
    let feed = Entry.Subject.feed(FeedKey(rawValue: 1))
    let first = try author.nextEntry(.name, of: feed, .string("a"), wall: 1_000, after: nil)
    let future = Timestamp(milliseconds: 900 * 86_400_000)
    let second = try author.nextEntry(.name, of: feed, .string("b"), wall: 1_000, after: future)
    #expect([first.number, second.number, author.lastNumber] == [5, 6, 6])
    #expect(second.time == future.next)
    #expect(author.clock.last.milliseconds == 1_000)
  }

  @Test("Under a new ID the newest own values are written again, with their times") func renewed() {
    let author = EntryAuthor(
      device: Samples.laptop, lastNumber: 9, clock: HybridClock(last: .latest))
    let own = [
      Samples.read(7, at: 3, [Samples.article(1)]), Samples.read(8, at: 5, [Samples.article(1)]),
      Samples.read(9, at: 4, [Samples.article(2)]),
    ]
    let (renewed, entries) = author.renewed(as: Samples.desk, own: own)
    #expect(entries.map(\.number) == [1] && entries[0].times.map(\.milliseconds) == [5, 4])
    #expect(renewed.device == Samples.desk && renewed.lastNumber == 1)
    #expect(renewed.clock == author.clock)
  }
}
