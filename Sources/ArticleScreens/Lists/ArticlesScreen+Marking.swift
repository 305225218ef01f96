import FeedModel
import FeedStore
import ReaderServices
import TerminalViews
import Wording

extension ArticlesScreen {
  func toggle(_ flag: ArticleFlag, _ count: Int) {
    if model.several != nil {
      return writeSelected { store, ids, first throws(StoreError) in
        try await flag.toggle(ids, like: first, store)
      }
    }
    let ids = model.articles(count)
    guard let first = ids.first else { return }
    context.write({ store throws(StoreError) in
      try await flag.toggle(ids, like: first, store)
    }) { [context] copies in
      if let text = MarkWording.changed(ids.count, copies: copies) { context.note(text) }
    }
    if count > 1 { model.move(.rows(count - 1)) }
    // Articles outside the window are not kept: a list pays for each kept article.
    model.keep(Set(ids).intersection(model.rows.map(\.id)))
  }

  /// Deletes the selected articles; one key brings them back.
  func delete(_ count: Int) {
    guard let selection = model.selection else { return }
    let some = model.several == nil ? model.articles(count) : nil
    model.several = nil
    DeletedArticles.delete(context) { store throws(StoreError) in
      if let some { some } else { try selection.ids(store) }
    }
  }

  /// Ends a selection of several, however long, with a write about it; the selection is read when
  /// that is due.
  private func writeSelected(
    _ write:
      @escaping @Sendable (ReaderCache, [ArticleID], ArticleID) async throws(StoreError) -> Int
  ) {
    guard let selection = model.selection else { return }
    model.keep(model.selectedRows.map { model.rows[$0].id })
    model.several = nil
    context.write({ store throws(StoreError) in
      let ids = try selection.ids(store)
      let first = ids.contains(selection.first) ? selection.first : ids.first ?? selection.first
      return (ids.count, try await write(store, ids, first))
    }) { [context] articles, copies in
      if let text = MarkWording.changed(articles, copies: copies) { context.note(text) }
    }
  }

  func tags() -> ArgumentChoices? {
    TagChoices.of(model.selectedRow.map { [$0.id] } ?? [], context)
  }

  func setTags(_ text: String) {
    guard let selection = model.selection, let id = model.selectedRow?.id else { return }
    model.several = nil
    TagChoices.write(text, instead: TagChoices.common([id], context), context) {
      store throws(StoreError) in try selection.ids(store)
    }
  }

  func markSelectedRead() {
    writeSelected { store, ids, _ throws(StoreError) in try await store.states.setRead(ids, true) }
  }

  package func markShownRead() {
    model.keep(model.visibleRows.map(\.id))
    let (query, context) = (model.query, context)
    context.write({ store throws(StoreError) in try await store.states.markShownRead(query) }) {
      context.note(MarkWording.marked($0, undo: context.keymap.label(.undo)))
    }
  }
}
