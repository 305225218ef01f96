internal import Foundation
package import TerminalViews

/// Marks, tags or deletes the selected articles, and marks a list or a part of it read.
struct ArticleMarking {
  let context: ReaderContext
  let model: ArticleListModel

  func toggle(_ mark: Mark, _ count: Int) {
    if model.several != nil {
      return writeSelected { store, ids in try await mark.toggle(ids, store) }
    }
    let ids = model.articles(count)
    guard !ids.isEmpty else { return }
    noteChanged { store in try await mark.toggle(ids, store) }
    if count > 1 { model.move(.rows(count - 1)) }
    // Articles outside the window are not kept, since each kept article costs the list time.
    model.retain(Set(ids).intersection(model.rows.map(\.id)))
  }

  /// Deletes the selected articles; one key restores them.
  func delete(_ count: Int) {
    guard let selection = model.selection else { return }
    let some = model.several == nil ? model.articles(count) : nil
    model.several = nil
    DeletedArticles.delete(context) { store in
      if let some { some } else { try selection.ids(store) }
    }
  }

  /// Queues a write for the selected articles, and ends the multiple selection. The articles are
  /// read from the cache when the write is performed, because a selection may be longer than the
  /// window.
  private func writeSelected(
    _ write:
      @escaping @Sendable (ReaderCache, [ArticleID]) async throws -> MarkedArticles
  ) {
    guard let selection = model.selection else { return }
    retainSelected()
    noteChanged { store in try await write(store, selection.ids(store)) }
  }

  /// Keeps the selected articles in the list, and ends the multiple selection.
  private func retainSelected() {
    model.retain(model.selectedRows.map { model.rows[$0].id })
    model.several = nil
  }

  private func noteChanged(
    _ write: @escaping @Sendable (ReaderCache) async throws -> MarkedArticles
  ) {
    context.write(write) { [context] marked in
      if let text = MarkWording.changed(marked) { context.note(text) }
    }
  }

  func tags() -> ArgumentChoices? {
    TagChoices.of(model.selectedRow.map { [$0.id] } ?? [], context)
  }

  func setTags(_ text: String) {
    guard let selection = model.selection, let id = model.selectedRow?.id else { return }
    model.several = nil
    TagChoices.write(text, instead: TagChoices.common([id], context), context) {
      store in try selection.ids(store)
    }
  }

  private func snooze(_ text: String) {
    guard let selection = model.selection,
      SnoozeChoices.snooze(text, context, { store in try selection.ids(store) })
    else { return }
    model.several = nil
  }

  func markSelectedRead() {
    guard let selection = model.selection else { return }
    retainSelected()
    context.markRead(
      counting: { store in try selection.ids(store).count },
      { store in try await store.states.set(.read, selection.ids(store), true) },
      words: MarkWording.changed)
  }

  /// Marks the list read.
  func markShownRead() {
    model.retain(model.visibleRows.map(\.id))
    let (query, context) = (model.query, context)
    context.markRead(
      counting: { store in try await store.articles.unreadCount(query, .all) },
      { store in try await store.states.markShownRead(query) }
    ) { MarkWording.marked($0, undo: context.keymap.label(.undo)) }
  }

  /// The effect of marking the list or the selected articles read.
  func shownEffect(in name: String) -> EffectText.Source {
    guard let words = selectedWords else { return effect(of: .all, in: name) }
    return { show in
      show(words)
      return nil
    }
  }

  private func effect(of part: ListPart, in name: String? = nil) -> EffectText.Source {
    let query = model.query
    return context.effect({ store in
      try await store.articles.unreadCount(query, part)
    }) { MarkWording.effect($0, in: name) }
  }

  /// `nil` if there is no multiple selection.
  var selectedWords: String? {
    model.several == nil ? nil : MarkWording.selected(model.selectedCount)
  }

  /// Commands for the selected articles, and for parts of the list, which are counted first and
  /// confirmed.
  var bindings: [Binding] {
    [
      Binding(.toggleRead, counted: { toggle(.read, $0) }).saying { selectedWords },
      Binding(.toggleStar, counted: { toggle(.starred, $0) }).saying { selectedWords },
      Binding(.toggleLater, counted: { toggle(.later, $0) }).saying { selectedWords },
      Binding(.delete, counted: { delete($0) }).saying { selectedWords },
      Binding(
        .snooze, unless: whyNone, choices: { SnoozeChoices.all(context) }, given: { snooze($0) }
      ).saying { selectedWords },
      Binding(.tag, choices: { tags() }, given: { setTags($0) })
        .saying { MarkWording.amount(max(1, model.selectedCount.count), duplicates: 0) },
      Binding(.markPart, unless: whyNone, choices: { parts }, given: { markPart($0) })
        .counting { part in
          if part == Self.others { return BeyondPage(context: context).effect }
          return part.flatMap(listPart).map { effect(of: $0.part) } ?? { _ in nil }
        },
    ]
  }

  private static let others = "others"

  private var parts: ArgumentChoices {
    var titles = ["above": "All above", "below": "All below", Self.others: "All that is not here"]
    for (age, title) in ListAge.titles { titles[age] = "Older than \(title)" }
    return ArgumentChoices(
      all: ["above", "below"] + (model.source == .dailyPage ? [Self.others] : []) + ListAge.usual,
      titles: titles)
  }

  /// Returns the part of the list that a text names, and the message if nothing there is unread.
  private func listPart(_ text: String) -> (part: ListPart, none: String)? {
    guard let key = model.selectedRow?.key else { return nil }
    switch text {
    case "above": return (.above(key), "No unread articles above")
    case "below": return (.below(key), "No unread articles below")
    default:
      return ListAge.seconds(text).map {
        (.olderThan(context.dates.now.addingTimeInterval(-$0)), "No unread article is that old")
      }
    }
  }

  private var whyNone: String? { model.selectedRow == nil ? "Select an article first" : nil }

  private func markPart(_ text: String) {
    if text == Self.others { return BeyondPage(context: context).askToMarkRead() }
    guard let (part, none) = listPart(text) else {
      return context.note("Write above, below, or an age such as 3d, 2w, 6m or 1y")
    }
    let (query, context) = (model.query, context)
    context.session.preparation = context.load { store in
      try store.articles.unread(query, part)
    } then: { [weak model] unread in
      let marked = MarkedArticles(articles: 0, kept: unread.kept, spared: unread.spared)
      let (ids, undo) = (unread.ids, context.keymap.label(.undo))
      guard !ids.isEmpty else {
        let isSpared = unread.kept + unread.spared > 0
        return context.note(isSpared ? MarkWording.marked(marked, undo: undo) : none)
      }
      context.ask(whether: MarkWording.question(ids.count)) {
        if let model { model.retain(Set(ids).intersection(model.rows.map(\.id))) }
        context.markRead(ids, beside: marked)
      }
    }
  }
}

extension ArticlesScreen {
  package var markingEffect: EffectText.Source { marking.shownEffect(in: title) }
}

/// Ages as users type them: "3d", "2w", "6m", "1y".
enum ListAge {
  private static let units: [Character: Double] = [
    "h": .hours(1), "d": .days(1), "w": .days(7), "m": .days(30), "y": .days(365),
  ]

  static let usual = ["1d", "3d", "1w", "2w", "1m", "3m", "1y"]
  static let titles = [
    "1d": "a day", "3d": "three days", "1w": "a week", "2w": "two weeks", "1m": "a month",
    "3m": "three months", "1y": "a year",
  ]

  /// Parses an age; `nil` if the text is invalid.
  static func seconds(_ text: String) -> Double? {
    let text = text.trimmingWhitespace.lowercased()
    guard let last = text.last, let unit = units[last], let number = Int(text.dropLast()),
      (1...100_000).contains(number)
    else { return nil }
    return Double(number) * unit
  }
}
