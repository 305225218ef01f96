extension FakeAggregator {
  /// Returns an answer of the Fever API.
  static func fever(
    _ style: Style, _ state: inout State, _ query: [(String, String)], _ form: [(String, String)]
  ) -> Answer {
    if state.isSwitchedOff { return .text("Service Unavailable!\n", status: 503) }
    var answer: [String: Any] = ["api_version": 3, "auth": 0]
    guard value("api_key", form)?.lowercased() == feverKey else { return .json(answer) }
    answer["auth"] = 1
    let asked = Set(query.map(\.0))
    let folders = Set(state.feeds.values.map(\.folder)).sorted()
    if asked.contains("groups") {
      answer["groups"] = folders.enumerated().map { ["id": $0.offset + 1, "title": $0.element] }
    }
    if asked.contains("feeds") {
      answer["feeds"] = listed(
        state.feeds.values.map {
          ["id": $0.id, "title": $0.title, "url": $0.url, "site_url": $0.url] as [String: Any]
        }, state)
      answer["feeds_groups"] = folders.enumerated().map { offset, folder in
        [
          "group_id": offset + 1,
          "feed_ids": state.feeds.values.filter { $0.folder == folder }.map { String($0.id) }
            .joined(separator: ","),
        ] as [String: Any]
      }
    }
    let list = { (ids: Set<Int64>) in ids.sorted().map(String.init).joined(separator: ",") }
    if value("mark", form) == "item", let id = value("id", form).flatMap({ Int64($0) }),
      let item = state.items[id]
    {
      let words = ["saved": "starred", "unsaved": "unstarred"]
      let word = value("as", form) ?? ""
      state.touched.append("\(words[word] ?? word) \(page(item, state))")
      switch value("as", form) {
      // Miniflux toggles the star for both.
      case "saved" where style == .miniflux, "unsaved" where style == .miniflux:
        state.starred.formSymmetricDifference([id])
      case "read": state.unread.remove(id)
      case "unread": state.unread.insert(id)
      case "saved": state.starred.insert(id)
      case "unsaved": state.starred.remove(id)
      default: break
      }
      // FreshRSS answers with the changed list.
      let isStar = value("as", form)?.hasSuffix("saved") == true
      answer[isStar ? "saved_item_ids" : "unread_item_ids"] =
        style == .freshRSS ? list(isStar ? state.starred : state.unread) : nil
    }
    if asked.contains("unread_item_ids") { answer["unread_item_ids"] = list(state.unread) }
    if asked.contains("saved_item_ids") { answer["saved_item_ids"] = list(state.starred) }
    if asked.contains("items") {
      let ids = value("with_ids", query)?.split(separator: ",").compactMap { Int64($0) } ?? []
      answer["items"] = ids.prefix(50).compactMap { state.items[$0] }.map { item in
        [
          "id": String(item.id), "feed_id": item.feed, "title": item.title, "html": item.html,
          "url": page(item, state),
          "is_read": state.unread.contains(item.id) ? 0 : 1,
          "is_saved": state.starred.contains(item.id) ? 1 : 0,
          "created_on_time": 1_795_000_000 + Int(item.id),
        ] as [String: Any]
      }
    }
    return .json(answer)
  }
}
