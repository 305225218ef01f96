import Foundation
import Synchronization

// The articles of the Google Reader API: their keys, their contents and their states.

extension FakeAggregator {
  func ids(_ state: State, _ fields: [(String, String)]) -> Answer {
    let stream = Self.value("s", fields) ?? ""
    let feed = stream.hasPrefix("feed/") ? Int(stream.dropFirst("feed/".count)) : nil
    let label = Self.label(stream)
    if label != nil, style == .miniflux { return .text("unknown stream type", status: 500) }
    let ids =
      if let feed {
        Set(state.items.values.filter { $0.feed == feed }.map(\.id))
      } else if let label {
        state.labels[label] ?? []
      } else {
        stream.hasSuffix("/starred") ? state.starred : state.unread
      }
    let all = state.hasEmptyLists ? [] : ids.sorted(by: >)
    let most = min(state.mostIDs, Self.value("n", fields).flatMap { Int($0) } ?? 20)
    let next = Self.value("c", fields)
    let start: Int
    switch style {
    // The continuation is the last id of the previous page.
    case .freshRSS:
      let last = next.flatMap { Int64($0) } ?? .max
      start = all.firstIndex { $0 < last } ?? all.count
    // The continuation is the number of earlier ids.
    case .miniflux: start = min(all.count, next.flatMap { Int($0) } ?? 0)
    }
    let page = all[start...].prefix(most)
    var answer: [String: Any] = ["itemRefs": page.map { ["id": String($0)] }]
    if page.isEmpty, style == .miniflux { answer = [:] }
    if page.endIndex < all.count, let last = page.last {
      answer["continuation"] = style == .freshRSS ? String(last) : String(page.endIndex)
    }
    if state.isCircular { answer["continuation"] = next ?? "1" }
    return .json(answer)
  }

  /// Reads an id in decimal, or in sixteen hexadecimal digits with or without the prefix.
  static func id(_ text: String) -> Int64? {
    let short = text.replacing("tag:google.com,2005:reader/item/", with: "")
    if short.count == 16, let bits = UInt64(short, radix: 16) { return Int64(bitPattern: bits) }
    return Int64(short)
  }

  func contents(_ state: State, _ fields: [(String, String)]) -> Answer {
    let items = fields.filter { $0.0 == "i" }.compactMap { Self.id($0.1) }
      .compactMap { state.items[$0] }
    return .json([
      "id": "user/-/state/com.google/reading-list", "items": items.map { content($0, state) },
    ])
  }

  func content(_ item: Item, _ state: State) -> [String: Any] {
    let digits = String(UInt64(bitPattern: item.id), radix: 16)
    var categories = ["user/1/state/com.google/reading-list", "cat"]
    let isStarred = state.starred.contains(item.id)
    let isRead = !state.unread.contains(item.id)
    if isRead || isStarred && state.hasWrongCategories {
      categories.append("user/1/state/com.google/read")
    }
    if isStarred, !state.hasWrongCategories {
      categories.append("user/1/state/com.google/starred")
    }
    if let folder = state.feeds[item.feed]?.folder { categories.append("user/1/label/\(folder)") }
    for (label, ids) in state.labels where ids.contains(item.id) {
      categories.append("user/1/label/\(label)")
    }
    return [
      "id": "tag:google.com,2005:reader/item/"
        + String(repeating: "0", count: 16 - digits.count) + digits,
      "published": 1_795_000_000 + Int(item.id), "title": shown(item.title),
      "canonical": [["href": Self.page(item, state)]],
      "categories": categories, "origin": ["streamId": "feed/\(item.feed)"],
      "summary": ["content": item.html], "author": "Ann Author",
    ]
  }

  static func page(_ item: Item, _ state: State) -> String {
    state.pages[item.id] ?? "https://origin.example/\(item.feed)/\(item.id)"
  }

  static func label(_ stream: String) -> String? {
    let parts = stream.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    return parts.count == 4 && parts[2] == "label" ? String(parts[3]) : nil
  }

  func editTag(_ state: inout State, _ fields: [(String, String)], size: Int) -> Answer {
    let ids = fields.filter { $0.0 == "i" }.compactMap { Self.id($0.1) }
    state.edits.append(ids.count)
    if ids.contains(where: state.poison.contains) { return .text("Bad Request!\n", status: 400) }
    // PHP reads a thousand fields and a megabyte, keeps the last of two actions, and answers OK.
    let read = style == .freshRSS ? Array(fields.prefix(1_000)) : fields
    let done = Answer.text(state.changeAnswer ?? "OK")
    guard size <= 1 << 20, !state.forgets else { return done }
    let action = read.last { $0.0 == "a" || $0.0 == "r" }
    let known = ids.filter { state.items[$0] != nil }
    if let action, let label = Self.label(action.1) {
      // The answer according to Miniflux's source.
      guard style == .freshRSS else {
        return .text(
          #"{"error_message":"googlereader: unsupported tag type: LabelStream"}"#, status: 500)
      }
      if action.0 == "a" {
        state.labels[label, default: []].formUnion(known)
      } else {
        state.labels[label]?.subtract(known)
      }
      return done
    }
    let word = action?.1.split(separator: "/").last ?? ""
    if let action, ["read", "starred"].contains(word) {
      for item in known.compactMap({ state.items[$0] }) {
        state.touched.append("\(action.0 == "a" ? "" : "un")\(word) \(Self.page(item, state))")
      }
    }
    switch (action?.0, action?.1.split(separator: "/").last) {
    case ("a", "read") where state.toggles: state.unread.formSymmetricDifference(known)
    case ("a", "starred") where state.toggles: state.starred.formSymmetricDifference(known)
    case ("a", "read"): state.unread.subtract(known)
    case ("r", "read"): state.unread.formUnion(known)
    case ("a", "starred"): state.starred.formUnion(known)
    case ("r", "starred"): state.starred.subtract(known)
    default: break
    }
    return done
  }
}

extension FakeAggregator {
  /// Articles and their states, as a backup keeps them.
  public struct Backup: Sendable {
    fileprivate let items: [Int64: Item]
    fileprivate let unread: Set<Int64>
    fileprivate let starred: Set<Int64>
  }

  /// Returns the present articles and states.
  public func backup() -> Backup {
    state.withLock { Backup(items: $0.items, unread: $0.unread, starred: $0.starred) }
  }

  /// Sets articles and states back to a backup.
  public func restore(_ backup: Backup) {
    state.withLock { state in
      (state.items, state.unread, state.starred) = (backup.items, backup.unread, backup.starred)
    }
  }
}
