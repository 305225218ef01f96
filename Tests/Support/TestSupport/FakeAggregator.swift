import Foundation
import Synchronization

/// An aggregator in memory with the Google Reader and Fever APIs and the quirks of a real server.
/// Its answers are calibrated against recorded exchanges with a FreshRSS.
public final class FakeAggregator: Sendable {
  /// The server whose quirks the aggregator has.
  public enum Style: Sendable { case freshRSS, miniflux }

  /// A subscription of the server.
  public struct Feed: Sendable {
    /// The number, from 1 in the order of adding.
    public var id: Int
    /// The feed's address.
    public var url: String
    /// The user's name for the feed.
    public var title: String
    /// The folder's name; each feed has one.
    public var folder: String
  }

  /// An article of the server.
  public struct Item: Sendable {
    /// The number in both protocols.
    public var id: Int64
    /// The `id` of its feed.
    public var feed: Int
    /// A title with an ampersand, to be escaped.
    public var title: String
    /// The article's text.
    public var html: String
  }

  /// An answer of the server.
  public struct Answer: Sendable {
    /// The HTTP status.
    public var status: Int
    /// The header `Content-Type`.
    public var type: String
    /// The body in UTF-8.
    public var body: String

    static func text(_ body: String, status: Int = 200) -> Answer {
      Answer(status: status, type: "text/plain; charset=UTF-8", body: body)
    }
    static func json(_ value: Any) -> Answer {
      let data = (try? JSONSerialization.data(withJSONObject: value)) ?? Data()
      return Answer(
        status: 200, type: "application/json; charset=UTF-8",
        body: String(decoding: data, as: UTF8.self))
    }
  }

  /// The only user.
  public static let user = "alice"
  /// The user's password for the API.
  public static let password = "alice-api-pw"
  /// MD5 of user, colon and password.
  static let feverKey = "99828b9345977d7635a9842297baed3b"

  struct State {
    var feeds: [Int: Feed] = [:]
    var items: [Int64: Item] = [:]
    var unread: Set<Int64> = []
    var starred: Set<Int64> = []
    /// Articles by label; a label without articles stays in the list, as FreshRSS keeps it.
    var labels: [String: Set<Int64>] = [:]
    /// The user's order: keys of eight digits by stream, or `nil` if the server has no order.
    var order: [String: String]?
    /// Addresses of articles that are not derived from their ids.
    var pages: [Int64: String] = [:]
    /// Ids that every changing request refuses.
    var poison: Set<Int64> = []
    var isSwitchedOff = false
    /// True if changes are confirmed but not made.
    var forgets = false
    /// True if setting a state that is already set removes it, as in Miniflux before 2.3.0.
    var toggles = false
    /// The body of answers to changes of states, instead of "OK".
    var changeAnswer: String?
    /// True if starred articles are given as read and not as starred, as in Miniflux before 2.0.50.
    var hasWrongCategories = false
    /// True if lists of ids are empty.
    var hasEmptyLists = false
    /// True if the list of subscriptions is empty.
    var hasNoSubscriptions = false
    /// True if every page leads to itself.
    var isCircular = false
    /// True if subscriptions are listed without their addresses.
    var hidesAddresses = false
    var sessions = 0
    var token = 0
    var nextFeed = 1
    var mostIDs = 1_000
    /// Changes that were made, with the address of the article or feed.
    var touched: [String] = []
    var edits: [Int] = []
  }

  /// The style given to `init`.
  public let style: Style
  let state = Mutex(State())

  /// - Parameter style: The server whose quirks the aggregator has.
  public init(_ style: Style = .freshRSS) { self.style = style }

  // MARK: What is there

  /// Adds a feed and returns its `id`.
  @discardableResult
  public func addFeed(_ url: String, title: String, folder: String = "Uncategorized") -> Int {
    state.withLock { state in
      let id = state.nextFeed
      state.nextFeed += 1
      state.feeds[id] = Feed(id: id, url: url, title: title, folder: folder)
      return id
    }
  }

  /// Adds unread articles with these ids.
  public func addItems(_ ids: some Sequence<Int64>, feed: Int) {
    state.withLock { state in
      for id in ids {
        state.items[id] = Item(
          id: id, feed: feed, title: "Item \(id) & friends", html: "<p>Body <b>\(id)</b></p>")
        state.unread.insert(id)
      }
    }
  }

  /// Adds an unread article with a title and an address that have another number than its id.
  public func addItem(_ id: Int64, number: Int64, feed: Int) {
    state.withLock { state in
      state.items[id] = Item(
        id: id, feed: feed, title: "Item \(number) & friends", html: "<p>Body \(number)</p>")
      state.pages[id] = "https://origin.example/item/\(number)"
      state.unread.insert(id)
    }
  }

  /// The ids of the articles that are unread.
  public var unread: Set<Int64> {
    get { state.withLock(\.unread) }
    set { state.withLock { $0.unread = newValue } }
  }
  /// The ids of the articles that are starred.
  public var starred: Set<Int64> {
    get { state.withLock(\.starred) }
    set { state.withLock { $0.starred = newValue } }
  }
  /// The feeds in the order of their ids.
  public var feeds: [Feed] {
    get { state.withLock { $0.feeds.values.sorted { $0.id < $1.id } } }
    set {
      state.withLock { state in
        state.feeds = Dictionary(newValue.map { ($0.id, $0) }, uniquingKeysWith: { a, _ in a })
      }
    }
  }
  /// The ids of articles by label; a label without articles stays.
  public var labels: [String: Set<Int64>] {
    get { state.withLock(\.labels) }
    set { state.withLock { $0.labels = newValue } }
  }
  /// Sets the order. Keys are the feeds' ids in eight digits, and for folders F0000001 and up, by
  /// name.
  public func setOrder(_ order: [String: String]?) { state.withLock { $0.order = order } }
  /// Sets the addresses of articles by id; others lead to a page named after their id.
  public func setPages(_ pages: [Int64: String]) { state.withLock { $0.pages = pages } }
  /// Sets the articles for which every change is refused.
  public func setPoison(_ ids: Set<Int64>) { state.withLock { $0.poison = ids } }
  /// Switches the API off, as if "Allow API access" were not ticked.
  public func setSwitchedOff(_ isOff: Bool) { state.withLock { $0.isSwitchedOff = isOff } }
  /// Sets whether changes are confirmed but not made.
  public func setForgetful(_ forgets: Bool) { state.withLock { $0.forgets = forgets } }
  /// Sets whether setting a state that is already set removes it.
  public func setToggling(_ toggles: Bool) { state.withLock { $0.toggles = toggles } }
  /// Sets the body of answers to changes of states; if `nil`, it is "OK".
  public func setChangeAnswer(_ body: String?) { state.withLock { $0.changeAnswer = body } }
  /// Sets whether starred articles are given as read and not as starred; lists of ids stay right.
  public func setWrongCategories(_ isWrong: Bool) {
    state.withLock { $0.hasWrongCategories = isWrong }
  }
  /// Sets whether lists of ids are empty.
  public func setEmptyLists(_ areEmpty: Bool) { state.withLock { $0.hasEmptyLists = areEmpty } }
  /// Sets whether the list of subscriptions is empty.
  public func setNoSubscriptions(_ isEmpty: Bool) {
    state.withLock { $0.hasNoSubscriptions = isEmpty }
  }
  /// Rebuilds the server: every article gets another id, is unread and not starred, and leads to
  /// the same page.
  public func rebuild(addingToIDs offset: Int64) {
    state.withLock { state in
      let old = state.items
      state.items = [:]
      for item in old.values {
        let id = item.id + offset
        state.pages[id] = Self.page(item, state)
        state.items[id] = Item(id: id, feed: item.feed, title: item.title, html: item.html)
      }
      (state.unread, state.starred) = (Set(state.items.keys), [])
      state.labels = state.labels.mapValues { _ in [] }
    }
  }
  /// Sets the server up again: feeds and articles get other ids, everything is unread and not
  /// starred, and titles and folders of feeds are the first ones. Addresses stay.
  public func renumber(
    feeds: (Feed) -> (id: Int, title: String, folder: String), items: [Int64: Int64]
  ) {
    state.withLock { state in
      let (oldFeeds, oldItems, pages) = (
        state.feeds, state.items, state.items.mapValues { Self.page($0, state) }
      )
      (state.feeds, state.items, state.pages) = ([:], [:], [:])
      var feedIDs: [Int: Int] = [:]
      for feed in oldFeeds.values {
        let (id, title, folder) = feeds(feed)
        feedIDs[feed.id] = id
        state.feeds[id] = Feed(id: id, url: feed.url, title: title, folder: folder)
      }
      for item in oldItems.values {
        guard let id = items[item.id], let feed = feedIDs[item.feed] else { continue }
        state.items[id] = Item(id: id, feed: feed, title: item.title, html: item.html)
        state.pages[id] = pages[item.id]
      }
      (state.unread, state.starred) = (Set(state.items.keys), [])
      state.labels = state.labels.mapValues { _ in [] }
      state.nextFeed = (state.feeds.keys.max() ?? 0) + 1
    }
  }
  /// The changes that were made, like "read https://a.example/1".
  public var touched: [String] { state.withLock(\.touched) }
  /// The addresses of articles by id.
  public var addresses: [Int64: String] {
    state.withLock { state in state.items.mapValues { Self.page($0, state) } }
  }
  /// Sets whether every page of ids leads to itself.
  public func setCircular(_ isCircular: Bool) { state.withLock { $0.isCircular = isCircular } }
  /// Sets whether subscriptions are listed without their addresses.
  public func setHidingAddresses(_ hides: Bool) { state.withLock { $0.hidesAddresses = hides } }
  /// Sets the most ids on a page, whatever is requested.
  public func setPageSize(_ most: Int) { state.withLock { $0.mostIDs = most } }
  /// Ends all sessions and tokens that were given out.
  public func endSessions() {
    state.withLock {
      $0.sessions += 1
      $0.token += 1
    }
  }
  /// The numbers of ids in changes of states, in order.
  public var editSizes: [Int] { state.withLock(\.edits) }

  // MARK: Answering

  /// Serves `/api/greader.php` and `/api/fever.php` at an origin.
  /// - Parameter thought: Seconds before each answer.
  public func serve(
    on origin: Origin, below prefix: String = "/api/",
    thought: @escaping @Sendable (Origin.Request) -> Double = { _ in 0 }
  ) {
    origin.on(prefix) { [self] request in
      let answer = self.answer(
        target: request.target, authorization: request.header("Authorization"), body: request.body)
      return .answer(answer.body, status: answer.status, type: answer.type).after(thought(request))
    }
  }

  /// - Parameter target: The path and the query.
  public func answer(target: String, authorization: String?, body: [UInt8]) -> Answer {
    let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
    let query = Self.fields(parts.count > 1 ? parts[1] : "")
    let form = Self.fields(String(decoding: body, as: UTF8.self))
    return state.withLock { state in
      if parts[0].hasSuffix("/fever.php") { return Self.fever(style, &state, query, form) }
      if state.isSwitchedOff {
        return style == .freshRSS
          ? .text("Service Unavailable!\n", status: 503) : .text("Not Found", status: 404)
      }
      // FreshRSS has the API below one page, Miniflux at the root.
      let names = ["accounts/ClientLogin", "reader/api/0/"]
      let start =
        style == .freshRSS
        ? parts[0].range(of: "/greader.php/")?.upperBound
        : names.compactMap { parts[0].range(of: $0)?.lowerBound }.first
      guard let start else { return .text("OK") }
      let call = String(parts[0][start...])
      if call == "accounts/ClientLogin" { return login(state, form) }
      guard call.hasPrefix("reader/api/0/") else { return unknown }
      return reader(
        &state, String(call.dropFirst("reader/api/0/".count)), query + form,
        isSignedIn: isSignedIn(state, authorization, form), size: body.count)
    }
  }

  func login(_ state: State, _ form: [(String, String)]) -> Answer {
    guard Self.value("Email", form) == Self.user, Self.value("Passwd", form) == Self.password else {
      return .text("Unauthorized!\n", status: 401)
    }
    return .text(
      "SID=\(Self.user)/s\(state.sessions)\nLSID=null\nAuth=\(Self.user)/s\(state.sessions)\n")
  }

  /// Returns true if a request is signed in. Miniflux checks only the token of POST requests.
  func isSignedIn(_ state: State, _ authorization: String?, _ form: [(String, String)]) -> Bool {
    let isByHeader = authorization == "GoogleLogin auth=\(Self.user)/s\(state.sessions)"
    guard !form.isEmpty else { return isByHeader }
    let hasToken = Self.value("T", form) == "token\(state.token)"
    return style == .miniflux ? hasToken : isByHeader && hasToken
  }

  var unknown: Answer {
    style == .freshRSS ? .text("Bad Request!\n", status: 400) : .json([Any]())
  }

  func reader(
    _ state: inout State, _ call: String, _ fields: [(String, String)], isSignedIn: Bool, size: Int
  ) -> Answer {
    guard isSignedIn else { return .text("Unauthorized!\n", status: 401) }
    switch call {
    case "token": return .text("token\(state.token)\n")
    case "subscription/list":
      if state.hasNoSubscriptions { return .json(["subscriptions": [Any]()]) }
      guard Self.value("output", fields) == "json" else {
        return .text("Not Implemented!\n", status: 501)
      }
      let subscriptions = state.feeds.values.sorted { $0.id > $1.id }.map {
        subscription($0, isOrdered: state.order != nil)
      }
      return .json(["subscriptions": Self.listed(subscriptions, state)])
    case "subscription/quickadd": return quickAdd(&state, Self.value("quickadd", fields) ?? "")
    case "subscription/edit": return edit(&state, fields)
    case "stream/items/ids": return ids(state, fields)
    case "stream/items/contents": return contents(state, fields)
    case "edit-tag": return editTag(&state, fields, size: size)
    case "tag/list": return tags(state)
    case "rename-tag": return renameFolder(&state, fields)
    case "preference/stream/list" where state.order != nil:
      return .json([
        "streamprefs": (state.order ?? [:]).mapValues {
          [["id": "subscription-ordering", "value": $0], ["id": "is-expanded", "value": "true"]]
        }
      ])
    default: return unknown
    }
  }

  // MARK: Forms

  static func value(_ name: String, _ fields: [(String, String)]) -> String? {
    fields.first { $0.0 == name }?.1
  }

  static func fields(_ text: String) -> [(String, String)] {
    text.split(separator: "&").map { field in
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = parts.count > 1 ? String(parts[1]) : ""
      return (String(parts[0]), value.replacing("+", with: " ").removingPercentEncoding ?? value)
    }
  }
}
