@testable import ReaderUI
@testable import TerminalViews

@Suite("Wording") struct WordingTests {
  private let dates = DateWording(now: TestCache.start, timeZone: .gmt)

  private func happened(_ kind: RefreshFailure.Kind, _ detail: String?) -> String {
    FailureWording(dates: dates).happened(
      RefreshFailure(kind: kind, detail: detail, since: TestCache.start), subject: "a.example")
  }

  @Test("Ages are short texts")
  func agesAreShort() {
    let ages: [(Double, String)] = [
      (30.0, "now"), (120, "2m"), (3_700, "1h"), (90_000, "1d"), (7 * 86_400, "1w"),
      (27.9 * 86_400, "3w"), (28 * 86_400, "24 Oct"), (40 * 86_400, "12 Oct"),
    ]
    for (seconds, text) in ages { #expect(dates.age(TestCache.start - seconds) == text) }
    #expect(dates.age(TestCache.start - 400 * 86_400) == "2025")
    #expect(dates.age(TestCache.start + 30) == "now")
    #expect(dates.age(TestCache.start + 600) == "10:52")
    let words: [(Double, String)] = [
      (5, "just now"), (60, "1 minute ago"), (7_300, "2 hours ago"), (86_400, "1 day ago"),
      (400 * 86_400, "17 Oct 2025"),
    ]
    for (seconds, text) in words { #expect(dates.ago(TestCache.start - seconds) == text) }
    #expect(dates.age(.distantPast).count <= 6)
    #expect(!dates.age(.distantFuture).isEmpty)
  }

  @Test("A list is divided by days for a week, by months for a year, and by years before")
  func daysThenMonths() {
    let headings: [(days: Double, text: String)] = [
      (0, "today"), (1, "yesterday"), (3, "Wed 18 Nov"), (6, "Sun 15 Nov"),
      (7, "November"), (20, "November"), (21, "October"), (51, "October"), (355, "December"),
      (356, "2025"), (400, "2025"), (691, "2024"),
    ]
    for (days, text) in headings {
      let period = dates.period(TestCache.start - days * 86_400)
      #expect(dates.heading(period: period) == text, "\(days) days ago")
    }
    for now in 0..<400 {
      let now = TestCache.start + Double(now) * 86_400
      let dates = DateWording(now: now, timeZone: .gmt)
      let periods = Set((-400..<800).map { dates.period(now - Double($0) * 86_400) })
      #expect(Set(periods.map(dates.heading)).count == periods.count, "No heading comes twice")
    }
  }

  @Test("Days and times are written in the given time zone")
  func daysAndMoments() {
    #expect(dates.full(TestCache.start - 120) == "Sat 21 Nov 2026, 10:40")
    #expect(dates.moment(TestCache.start + 600) == "10:52")
    #expect(dates.moment(TestCache.start + 86_400) == "tomorrow 10:42")
    let tokyo = TimeZone(secondsFromGMT: 9 * 3_600) ?? .gmt
    #expect(DateWording(now: TestCache.start, timeZone: tokyo).time(TestCache.start) == "19:42")
    #expect(dates.full(Date(timeIntervalSince1970: -1)) == "Wed 31 Dec 1969, 23:59")
    #expect(dates.full(Date(timeIntervalSince1970: 951_782_400)) == "Tue 29 Feb 2000, 00:00")
  }

  @Test("Amounts are written with units and separators")
  func amounts() {
    #expect(AmountWording.grouped(1_000_000) == "1,000,000")
    #expect(AmountWording.bytes(999) == "999 B")
    #expect(AmountWording.bytes(48_000) == "48 kB")
    #expect(AmountWording.bytes(1_400_000) == "1.4 MB")
    #expect(AmountWording.bytes(.nan) == "0 B")
    #expect(AmountWording.duration(2_840) == "47 min")
    #expect(AmountWording.duration(3_720) == "1 h 02")
    #expect(AmountWording.duration(359_000) == "99 h 43")
    #expect(AmountWording.duration(360_000) == "4 days")
    #expect(AmountWording.duration(31_536_000) == "365 days")
    #expect(NextCheckWording.reasons([.interval(7_200)]) == "the feed asks for 2 hours")
    #expect(NextCheckWording.reasons([.backoff(31_536_000)]) == "the server asked for a pause")
    #expect(AmountWording.count(1, "feed", "feeds") == "1 feed")
  }

  @Test("Every failure is a sentence without a code name")
  func failuresAreSentences() {
    let wording = FailureWording(dates: dates)
    for kind in RefreshFailure.Kind.allCases {
      var feed = Feed(id: FeedID(rawValue: 1), url: "https://lwn.net/headlines/rss")
      feed.state.failure = RefreshFailure(kind: kind, since: TestCache.start)
      feed.state.nextCheckAt = TestCache.start + 600
      let sentence = wording.sentence(for: feed) ?? ""
      #expect(sentence.contains(kind == .rateLimited ? " until " : "; "), "\(kind)")
      let areWords: Set<RefreshFailure.Kind> = [.offline, .gone, .empty, .proxy]
      #expect(!sentence.contains(kind.rawValue) || areWords.contains(kind))
    }
  }

  @Test("The reason why a change was not sent is in words")
  func unsentReasonIsInWords() {
    let wording = AccountWording(dates: dates)
    let reasons = [
      (
        AccountFailure.Kind.wrongCredentials.rawValue,
        "the server doesn\u{2019}t accept the password"
      ),
      (AccountFailure.Kind.noSecret.rawValue, "Weir doesn\u{2019}t know the password"),
      (RefreshFailure.Kind.connectionRefused.rawValue, "the server refused the connection"),
      ("pass: exit code 1", "pass: exit code 1"), ("404: No feed", "404: No feed"),
      ("404", "the server answered 404"), ("429", "the server asked us to slow down"),
      ("503", "the server was not available (503)"),
      ("500: Oops", "the server has a problem (500: Oops)"),
      ("200", "a web page came in place of an answer"), ("42", "42"),
    ]
    for (detail, words) in reasons { #expect(wording.reason(detail) == words) }
  }

  @Test("A detail that is stored as a code is shown in words")
  func details() {
    func sentence(_ kind: RefreshFailure.Kind, _ detail: FailureDetail) -> String {
      happened(kind, detail.code)
    }
    #expect(sentence(.programFailed, .exitCode(7)) == "The program failed: exit code 7")
    #expect(
      sentence(.programFailed, .notAllowed("exec:a b"))
        == "The program was not run: it is not allowed on this machine; allow it with weir add "
        + "'exec:a b'")
    #expect(
      sentence(.unreadableFile, .said("No such file")) == "The file could not be read: No such file"
    )
    #expect(sentence(.notAFeed, .webPage(hasFeed: true)) == "This is a web page")
    #expect(sentence(.proxy, .proxyUnreachable) == "The proxy for a.example cannot be reached")
    #expect(sentence(.notAFeed, .robotCheck) == "a.example asks for a browser")
    #expect(sentence(.notAFeed, .signInPage) == "a.example asks to sign in")
    #expect(sentence(.notAFeed, .plainText) == "This isn\u{2019}t a feed (plain text)")
    #expect(
      sentence(.programFailed, .passwordCommand(.exitCode(1)))
        == "The program failed: password-command: exit code 1")
    #expect(
      AccountWording(dates: dates).reason("404: \(FailureDetail.notSubscribed.code)")
        == "404: not subscribed to")
    #expect(SyncWording.host(LocalSource.hostKey) == "this machine")
    #expect(SyncWording.host("a.example") == "a.example")
  }

  @Test("A refused address in a private network is named once")
  func privateNetwork() {
    for detail in [nil, "a.example"] {
      #expect(happened(.forbiddenAddress, detail) == "a.example leads to a private network")
    }
    #expect(
      happened(.forbiddenAddress, "10.0.0.1") == "a.example leads to a private network: 10.0.0.1")
  }

  @Test("A failure of several hosts names none of them")
  func severalHosts() {
    let wording = FailureWording(dates: dates)
    for kind in RefreshFailure.Kind.allCases {
      let failure = RefreshFailure(kind: kind, since: TestCache.start)
      let sentence = wording.happened(failure, subject: nil)
      #expect(!sentence.contains("called the"), "\(sentence)")
    }
    #expect(
      wording.happened(RefreshFailure(kind: .hostNotFound, since: TestCache.start), subject: nil)
        == "There are no servers of these names")
  }

  @Test("While changes wait, an account shows when they are sent and not when it is synced next")
  func whenChangesAreSent() {
    var account = Account(
      id: AccountID(rawValue: 1), kind: .googleReader, url: "https://rss.example.org", user: "a",
      title: "A")
    account.state.syncedAt = TestCache.start - 120
    account.state.nextSyncAt = TestCache.start + 600
    let wording = AccountWording(dates: dates)
    #expect(wording.state(account) == "synced 10:40; next 10:52")
    account.state.outbox = OutboxCounts(pending: 3)
    #expect(wording.state(account) == "synced 10:40; 3 changes will be sent next")
    account.state.outbox.nextTry = TestCache.start + 300
    account.state.failure = AccountFailure(kind: .refused, status: 502, since: TestCache.start)
    #expect(
      wording.state(account)
        == "rss.example.org has a problem (502); 3 changes will be sent 10:47")
  }

  @Test("A server error does not blame the address")
  func serverErrors() {
    let failure = AccountFailure(kind: .refused, status: 500, since: TestCache.start)
    #expect(AccountWording.remedy(failure, isNew: true) == "Try again later.")
    #expect(AccountWording.remedy(failure) == "Weir tries again later.")
  }

  @Test("A web page in place of an API answer is named as such, and a network sign-in is suggested")
  func webPage() {
    let wording = AccountWording(dates: dates)
    var failure = AccountFailure(kind: .noSuchAPI, status: 200, since: TestCache.start)
    #expect(
      wording.happened(failure, url: "https://a.example")
        == "a.example sent a web page, not an answer of its API")
    #expect(AccountWording.remedy(failure).hasPrefix("If this network asks for a sign-in"))
    #expect(AccountWording.remedy(failure, isNew: true).hasPrefix("Check the address"))
    failure.status = 404
    #expect(wording.happened(failure, url: "https://a.example").contains("no such API"))
    #expect(AccountWording.remedy(failure).hasPrefix("Check the address"))
  }

  @Test("A failed password program is to be corrected, not replaced by a password")
  func failedProgramIsEdited() {
    func remedy(_ detail: String?) -> String {
      AccountWording.remedy(AccountFailure(kind: .noSecret, detail: detail, since: TestCache.start))
    }
    #expect(remedy(nil).contains("weir account password"))
    #expect(remedy("pass: exit code 1").hasPrefix("Once that\u{2019}s corrected"))
  }

  @Test("Text wraps at spaces and between wide characters")
  func wrapsAtSpaces() {
    #expect(TextWrapping.lines("a quieter terminal", columns: 10) == ["a quieter", "terminal"])
    #expect(TextWrapping.lines("a b\u{A0}c", columns: 4) == ["a", "b c"])
    #expect(TextWrapping.lines("科技爱好者", columns: 4) == ["科技", "爱好", "者"])
    #expect(TextWrapping.lines("abcdefgh", columns: 3) == ["abc", "def", "gh"])
    #expect(TextWrapping.lines("", columns: 3) == [""])
    for columns in 1...30 {
      for line in TextWrapping.lines("Launch 👩‍🚀 日本語 text  and\twords हिन्दी", columns: columns) {
        #expect(GraphemeWidth.width(of: line) <= max(2, columns))
      }
    }
  }

  @Test("Text fields edit whole grapheme clusters")
  func textFieldsEditGraphemes() {
    var field = TextField()
    for key: Key in [.paste("日本👩‍🚀\n"), .backspace, .character("x"), .left, .left, .delete] {
      _ = field.handle(key)
    }
    #expect(field.text == "日x")
    _ = field.handle(.end)
    _ = field.handle(.control("w"))
    #expect(field.text.isEmpty)
  }

  nonisolated private static let strange =
    "\u{2019}s certificate is signed by an authority that this machine doesn\u{2019}t know"

  @Test(
    "A certificate error is explained in plain words",
    arguments: [
      ("SSL certificate problem: self-signed certificate", strange),
      ("SSL certificate problem: certificate has expired", "\u{2019}s certificate has expired"),
      (
        "SSL: no alternative certificate subject name matches target host name \u{2018}a.example\u{2019}",
        "\u{2019}s certificate is for another name"
      ),
      ("SSL certificate problem: unable to get local issuer certificate", strange),
      ("0A00010B wrong version number", " doesn\u{2019}t speak TLS at this address"),
      (
        "0A00014D legacy sigalg disallowed or unsupported",
        " only offers an outdated kind of encryption"
      ),
      ("0A000410 sslv3 alert handshake failure", " shares no kind of encryption with Weir"),
      ("0A000126 unexpected eof while reading", " ended the connection before it was secure"),
      ("0A0000FF something new", nil), ("", nil),
    ])
  func certificates(detail: String, end: String?) {
    let detail = detail.replacing(#/^(0A\w+) /#) {
      "OpenSSL/3.0.19: error:\($0.1):SSL routines::"
    }
    let sentence = end.map { "a.example" + $0 } ?? "No secure connection to a.example could be made"
    #expect(happened(.tls, detail) == sentence)
  }

  @Test(
    "The remedy of a wrong scheme names the right one, with the port",
    arguments: [
      (
        "https://a.example:81", "tls:wrong version number",
        "If that is meant, write http://a.example:81."
      ),
      (
        "http://a.example", "connection-lost",
        "If the server speaks TLS, write https:// in the address."
      ),
      ("https://a.example", "connection-lost", "Check the address and the connection."),
    ])
  func schemes(url: String, detail: String, remedy: String) {
    let detail = detail.replacing(
      "connection-lost", with: RefreshFailure.Kind.connectionLost.rawValue)
    let failure = AccountFailure(kind: .unreachable, detail: detail, since: TestCache.start)
    #expect(AccountWording.remedy(failure, url: url, isNew: true) == remedy)
  }
}
