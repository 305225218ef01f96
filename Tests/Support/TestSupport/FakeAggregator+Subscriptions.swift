import Foundation

// The subscriptions and folders of the Google Reader API.

extension FakeAggregator {
  func shown(_ title: String) -> String {
    style == .freshRSS
      ? title.replacing("&", with: "＆").replacing("<", with: "＜").replacing(">", with: "＞") : title
  }

  func subscription(_ feed: Feed, isOrdered: Bool) -> [String: Any] {
    var answer: [String: Any] = [
      "id": "feed/\(feed.id)", "title": shown(feed.title), "url": feed.url, "htmlUrl": feed.url,
      "categories": feed.folder.isEmpty
        ? [] : [["id": "user/-/label/\(feed.folder)", "label": feed.folder]],
    ]
    if isOrdered { answer["sortid"] = Self.digits(feed.id) }
    return answer
  }

  static func digits(_ number: Int) -> String {
    let text = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: 8 - text.count) + text
  }

  func tags(_ state: State) -> Answer {
    var tags: [[String: Any]] = [["id": "user/-/state/com.google/starred"]]
    for (index, folder) in Set(state.feeds.values.map(\.folder)).sorted().enumerated() {
      tags.append([
        "id": "user/-/label/\(folder)", "type": "folder",
        "sortid": Self.digits(0xF000_0001 + index),
      ])
    }
    for label in state.labels.keys.sorted() {
      tags.append(["id": "user/-/label/\(label)", "type": "tag", "unread_count": 0])
    }
    return .json(["tags": tags])
  }

  static func listed(_ feeds: [[String: Any]], _ state: State) -> [[String: Any]] {
    state.hidesAddresses ? feeds.map { $0.filter { !$0.key.lowercased().hasSuffix("url") } } : feeds
  }

  func quickAdd(_ state: inout State, _ url: String) -> Answer {
    if state.feeds.values.contains(where: { $0.url == url }) {
      return .json(["numResults": 0, "error": "Already subscribed! \(url)"])
    }
    guard !url.contains("dead") else { return .json(["numResults": 0, "query": url]) }
    guard !url.contains("broken") else { return .text("Internal Server Error", status: 500) }
    let id = state.nextFeed
    state.nextFeed += 1
    state.feeds[id] = Feed(id: id, url: url, title: "Feed \(id)", folder: "Uncategorized")
    return .json(["numResults": 1, "query": url, "streamId": "feed/\(id)"])
  }

  func edit(_ state: inout State, _ fields: [(String, String)]) -> Answer {
    let id = Self.value("s", fields).flatMap { Int($0.dropFirst("feed/".count)) } ?? 0
    guard let url = state.feeds[id]?.url else { return .text("Bad Request!\n", status: 400) }
    for name in ["ac", "t", "a"] {
      guard let value = Self.value(name, fields), value != "edit" else { continue }
      state.touched.append("\(value) \(url)")
    }
    if Self.value("ac", fields) == "unsubscribe" {
      state.feeds[id] = nil
      let gone = Set(state.items.values.filter { $0.feed == id }.map(\.id))
      state.unread.subtract(gone)
      state.starred.subtract(gone)
      for label in state.labels.keys { state.labels[label]?.subtract(gone) }
      for item in gone { state.items[item] = nil }
      return .text("OK")
    }
    if let title = Self.value("t", fields) { state.feeds[id]?.title = title }
    let label = "user/-/label/"
    if let folder = Self.value("a", fields), folder.hasPrefix(label) {
      state.feeds[id]?.folder = String(folder.dropFirst(label.count))
    } else if Self.value("r", fields) != nil {
      state.feeds[id]?.folder = "Uncategorized"
    }
    return .text("OK")
  }

  /// Renames a folder. The server has no folders without feeds.
  func renameFolder(_ state: inout State, _ fields: [(String, String)]) -> Answer {
    guard let old = Self.value("s", fields).flatMap(Self.label),
      let new = Self.value("dest", fields).flatMap(Self.label),
      state.feeds.values.contains(where: { $0.folder == old })
    else { return .text("Bad Request!\n", status: 400) }
    for (id, feed) in state.feeds where feed.folder == old { state.feeds[id]?.folder = new }
    return .text("OK")
  }
}
