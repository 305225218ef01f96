import TerminalViews

/// Requests older posts of a feed, and reports what came of it.
enum OlderPostActions {
  static func ask(_ feed: Feed, pages: Int, _ context: ReaderContext) {
    let id = feed.id
    context.write({ store in try await store.olderPosts.request(id, pages: pages) }) { posts in
      guard let posts else { return }
      if posts.state == .waiting { context.session.awaitedOlderPosts[id] = feed.name }
      context.note(wording(feed.name, context).answer(posts, offline: context.offlineUntil))
    }
  }

  static func reportEnds(_ change: StoreChange, _ context: ReaderContext) {
    guard change.contains(.requests) else { return }
    for (feed, name) in context.session.awaitedOlderPosts.sorted(by: { $0.key < $1.key }) {
      guard let posts = context.read(try context.store.olderPosts.request(of: feed)) else {
        context.session.awaitedOlderPosts[feed] = nil
        continue
      }
      guard let words = wording(name, context).end(posts) else { continue }
      context.session.awaitedOlderPosts[feed] = nil
      if case .failed = posts.state { context.show(.failure(words)) } else { context.note(words) }
    }
  }

  private static func wording(_ name: String, _ context: ReaderContext) -> OlderPostsWording {
    OlderPostsWording(dates: context.dates, name: name, key: ":\(Command.lists.name) older")
  }
}
