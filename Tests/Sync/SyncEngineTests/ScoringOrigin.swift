import Networking

/// An origin that records its answers and the times from which clients may return, and every
/// request that violates etiquette.
final class ScoringOrigin: Sendable {
  /// A feed's way of publishing.
  enum Habit: Sendable, CaseIterable {
    case plain, maxAge, expires, aged, ttl, syndication, skipsHours, skipsDays, retryAfterOnSuccess
    case onlyDate, onlyTag, noValidators, changingTag, sameBody, flaky, missing, busy, unavailable
    case moves, movesForAWhile, movesToTLS, goes, empties, login
  }

  private struct Page {
    var habit: Habit
    var version = 0
    /// Validators of the last good answer.
    var given: (etag: String?, date: String?) = (nil, nil)
    var hasAnswered = false
    /// Earliest time of an automatic request.
    var openFrom = Date.distantPast
    /// Earliest time of any request.
    var closedUntil = Date.distantPast
    var answers = 0
    var unconditional = 0
    var firstMove: Date?
    var moves = 0
    /// Requests that follow a redirect just answered.
    var expected = 0
    var isAsked = false
    /// Early requests that the reader's wrong clock causes.
    var excuses = 0
  }

  private struct State {
    var pages: [String: Page] = [:]
    var faults: [String] = []
    var requests = 0
    var conditional = 0
  }

  private let state = Mutex(State())
  /// The true time, independent of the reader's clock.
  private let now: @Sendable () -> Date
  private let start: Date

  init(now: @escaping @Sendable () -> Date) {
    self.now = now
    start = now()
  }

  var faults: [String] { state.withLock(\.faults) }
  var requests: Int { state.withLock(\.requests) }
  var conditional: Int { state.withLock(\.conditional) }

  /// Publishes a feed for each habit on each of `sets` hosts, and returns their addresses.
  func publish(sets: Int) -> [String] {
    var urls: [String] = []
    state.withLock { state in
      for set in 0..<sets {
        for habit in Habit.allCases {
          let url = "http://\(habit).s\(set).example/feed"
          state.pages[url] = Page(habit: habit)
          for target in [Self.target(url), Self.secure(url)] {
            state.pages[target] = Page(habit: .plain)
          }
          urls.append(url)
        }
      }
    }
    return urls
  }

  private static func target(_ url: String) -> String { url + "/new" }
  private static func secure(_ url: String) -> String { "https" + url.dropFirst(4) }

  /// Allows early requests for these addresses, which the user requested.
  func expect(_ urls: [String]) {
    state.withLock { state in
      for url in urls { for one in Self.all(url) { state.pages[one]?.isAsked = true } }
    }
  }

  /// Allows each feed one early request, because the reader's clock jumped ahead.
  func excuseEverybodyOnce() {
    state.withLock { state in for url in state.pages.keys { state.pages[url]?.excuses = 1 } }
  }

  func expectNothingMore() {
    state.withLock { state in for url in state.pages.keys { state.pages[url]?.isAsked = false } }
  }

  private static func all(_ url: String) -> [String] { [url, target(url), secure(url)] }

  // MARK: Answering

  func answer(_ request: HTTPRequest) -> FakeWeb.Answer {
    let now = now()
    return state.withLock { state in
      state.requests += 1
      guard var page = state.pages[request.url] else {
        state.faults.append("an address that nobody gave: \(request.url)")
        return .status(404)
      }
      let habit = page.habit
      func fault(_ text: String) {
        let day = Int(now.timeIntervalSince(start) / 86_400)
        state.faults.append("day \(day), \(request.url), \(habit): \(text)")
      }
      for name in ["Cookie", "Referer"] where request.header(name) != nil { fault("sent \(name)") }
      judgeTime(&page, now, fault)
      judgeValidators(&page, request, fault)
      if request.header("If-None-Match") != nil || request.header("If-Modified-Since") != nil {
        state.conditional += 1
      }
      let (answer, target) = reply(&page, request, now)
      state.pages[request.url] = page
      if let target { state.pages[target]?.expected += 1 }
      return answer
    }
  }

  private func judgeTime(_ page: inout Page, _ now: Date, _ fault: (String) -> Void) {
    defer { page.isAsked = false }
    // The target of a redirect is part of the same request.
    if page.expected > 0 {
      page.expected -= 1
      return
    }
    if page.habit == .moves, let first = page.firstMove, page.moves >= 2,
      now.timeIntervalSince(first) > 3 * 86_400
    {
      fault("asked where it lived before")
    }
    let early = max(page.closedUntil, page.isAsked ? .distantPast : page.openFrom)
    if now < early - 1 {
      if page.excuses > 0 {
        page.excuses -= 1
      } else {
        fault("came \(early.timeIntervalSince(now)) s early")
      }
    } else if page.habit == .skipsHours || page.habit == .skipsDays, !page.isAsked,
      page.excuses == 0, page.hasAnswered, isSkipped(page.habit, now)
    {
      fault("came at a time that it asks to leave out")
    }
  }

  private func isSkipped(_ habit: Habit, _ now: Date) -> Bool {
    let hours = Int(now.timeIntervalSince1970 / 3_600)
    // 1 January 1970 was a Thursday.
    return habit == .skipsHours ? (0..<6).contains(hours % 24) : [3, 2].contains(hours / 24 % 7)
  }

  private func judgeValidators(
    _ page: inout Page, _ request: HTTPRequest, _ fault: (String) -> Void
  ) {
    let (tag, date) = (request.header("If-None-Match"), request.header("If-Modified-Since"))
    if tag != page.given.etag || date != page.given.date {
      fault("sent \(tag ?? "-"), \(date ?? "-") for \(page.given)")
    }
    if page.hasAnswered, page.given.etag != nil || page.given.date != nil, tag == nil, date == nil {
      page.unconditional += 1
      fault("unconditional once more")
    }
  }

  /// The answer, and the target of its redirect.
  private func reply(
    _ page: inout Page, _ request: HTTPRequest, _ now: Date
  ) -> (FakeWeb.Answer, String?) {
    page.answers += 1
    let day = now.timeIntervalSince(start) / 86_400
    switch page.habit {
    case .missing: return (refuse(&page, 404, now), nil)
    case .flaky where page.answers % 4 == 3: return (refuse(&page, 500, now), nil)
    case .busy where page.answers % 5 == 4: return (close(&page, 429, "7200", 7_200, now), nil)
    case .unavailable where page.answers % 5 == 4:
      return (close(&page, 503, Self.text(now + 20_000), 20_000, now), nil)
    case .empties where page.answers % 3 == 2: return (.feed(" "), nil)
    case .login where page.answers % 3 == 2:
      return (
        .reply(200, [("Content-Type", "text/html"), ("ETag", "\"login\"")], "<html></html>"), nil
      )
    case .goes where day > 10:
      page.closedUntil = .distantFuture
      return (.status(410), nil)
    case .moves where day > 20:
      page.firstMove = page.firstMove ?? now
      page.moves += 1
      // No document remains here that validators could belong to.
      page.given = (nil, nil)
      page.openFrom = now + 3_600
      return (.status(301, [("Location", Self.target(request.url))]), Self.target(request.url))
    case .movesForAWhile:
      page.openFrom = now + 3_600
      return (.status(302, [("Location", Self.target(request.url))]), Self.target(request.url))
    case .movesToTLS where day > 5:
      page.closedUntil = .distantFuture
      return (.status(308, [("Location", Self.secure(request.url))]), Self.secure(request.url))
    default: return (document(&page, request, now), nil)
    }
  }

  private func refuse(_ page: inout Page, _ status: Int, _ now: Date) -> FakeWeb.Answer {
    page.openFrom = now + 3_600
    return .status(status)
  }

  private func close(
    _ page: inout Page, _ status: Int, _ word: String, _ wait: Double, _ now: Date
  ) -> FakeWeb.Answer {
    page.closedUntil = now + wait
    page.openFrom = page.closedUntil
    return .status(status, [("Retry-After", word), ("Date", Self.text(now))])
  }

  private func document(_ page: inout Page, _ request: HTTPRequest, _ now: Date) -> FakeWeb.Answer {
    let version = Int(now.timeIntervalSince(start) / 30_000)
    var headers = [("Date", Self.text(now))]
    var (wait, extra) = (3_600.0, "")
    switch page.habit {
    case .maxAge: (wait, headers) = (9_000, headers + [("Cache-Control", "public, max-age=9000")])
    case .expires: (wait, headers) = (12_000, headers + [("Expires", Self.text(now + 12_000))])
    case .aged:
      wait = 6_000
      headers += [("Cache-Control", "max-age=9000"), ("Age", "3000")]
    case .ttl: (wait, extra) = (10_800, "<ttl>180</ttl>")
    case .syndication:
      wait = 21_600
      extra =
        "<sy:updatePeriod xmlns:sy=\"http://purl.org/rss/1.0/modules/syndication/\">daily"
        + "</sy:updatePeriod><sy:updateFrequency xmlns:sy="
        + "\"http://purl.org/rss/1.0/modules/syndication/\">4</sy:updateFrequency>"
    case .skipsHours:
      extra = "<skipHours>" + (0..<6).map { "<hour>\($0)</hour>" }.joined() + "</skipHours>"
    case .skipsDays: extra = "<skipDays><day>Saturday</day><day>Sunday</day></skipDays>"
    case .retryAfterOnSuccess: (wait, headers) = (14_000, headers + [("Retry-After", "14000")])
    default: break
    }
    let tag = page.habit == .changingTag ? "W/\"\(page.answers)\"" : "\"v \(version)\""
    let date = Self.text(start + Double(version) * 30_000)
    let given: (String?, String?) =
      switch page.habit {
      case .noValidators: (nil, nil)
      case .onlyDate: (nil, date)
      case .onlyTag, .changingTag: (tag, nil)
      default: (tag, date)
      }
    let isKnown =
      page.habit != .changingTag && page.hasAnswered && given != (nil, nil)
      && (given.0 == nil || given.0 == request.header("If-None-Match"))
      && (given.1 == nil || given.1 == request.header("If-Modified-Since"))
    page.given = given
    page.hasAnswered = true
    // A client that is admitted for any reason need not wait any longer.
    (page.openFrom, page.closedUntil) = (now + wait, .distantPast)
    if let tag = given.0 { headers.append(("ETag", tag)) }
    if let date = given.1 { headers.append(("Last-Modified", date)) }
    if isKnown { return .status(304, headers) }
    let shown = page.habit == .sameBody ? 0 : version
    return .feed(rss("F \(page.habit)", items: 2, from: shown + 1, extra: extra), headers)
  }

  private static func text(_ date: Date) -> String {
    let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let seconds = Int(date.timeIntervalSince1970)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
    func two(_ number: Int?) -> String { String(100 + (number ?? 0)).suffix(2).description }
    return "\(days[seconds / 86_400 % 7]), \(two(parts.day)) \(months[(parts.month ?? 1) - 1]) "
      + "\(parts.year ?? 0) \(two(parts.hour)):\(two(parts.minute)):\(two(parts.second)) GMT"
  }
}
