import TerminalViews

/// Reports old articles that a feed brought as new, and shows them or marks them read.
struct OldArrivalNotice {
  let context: ReaderContext

  /// Examines the arrivals since the last call in the background.
  func check() {
    let (context, session) = (context, context.session)
    let known = session.checkedArrivals
    session.arrivalCheck = context.load { store -> (ArticleID, [OldArrivals])? in
      let latest = try store.articles.latestArticleID()
      guard let known, latest > known else { return (latest, []) }
      return (latest, try store.articles.oldArrivals(after: known))
    } then: { latest, found in
      session.checkedArrivals = latest
      guard !found.isEmpty else { return }
      session.oldArrivals = found
      let key = ":\(Command.lists.name) old"
      context.note(ArrivalWording.old(found.map { ($0.feedName, $0.hits.count) }, key: key))
      context.invalidate()
    }
  }

  /// Lists the reported articles by feed, to show them or to mark them read.
  func choose() {
    let items = context.session.oldArrivals.flatMap { old in
      let count = AmountWording.count(old.hits.count, "old one", "old ones")
      return [
        Picker.Item("show \(old.feed.rawValue)", title: "Show \(count)", note: old.feedName),
        Picker.Item("mark \(old.feed.rawValue)", title: "Mark \(count) read", note: old.feedName),
      ]
    }
    context.window?.ask(
      Picker("Old articles", items) { [context] values in
        let words = (values.first ?? "").split(separator: " ")
        let old = context.session.oldArrivals.first { String($0.feed.rawValue) == words.last ?? "" }
        guard let old else { return }
        if words.first == "show" { show(old) } else { mark(old) }
      })
  }

  private func show(_ old: OldArrivals) {
    guard let first = old.hits.ids.first,
      let row = context.read(try context.store.articles.articleRow(first))
    else { return }
    context.window?.open(row, of: ListSearch(text: "old ones in \(old.feedName)", hits: old.hits))
  }

  private func mark(_ old: OldArrivals) {
    context.markRead(old.hits.ids) { [context] in
      context.session.oldArrivals.removeAll { $0.feed == old.feed }
    }
  }
}
