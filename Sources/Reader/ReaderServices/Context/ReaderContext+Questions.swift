package import FeedStore
package import TerminalViews

extension ReaderContext {
  /// Counts in the background for the words of an effect.
  package func effect(
    _ count: @escaping @Sendable (ReaderCache) async throws(StoreError) -> Int?,
    _ words: @escaping (Int) -> String
  ) -> EffectText.Source {
    { show in
      self.load(count) { [weak self] in
        show(words($0))
        self?.invalidate()
      }
    }
  }

  /// Asks for one line of text; ↑ recalls earlier texts. `accepted` is not called for an empty
  /// text.
  package func ask(
    for label: String, text: String = "", isHidden: Bool = false,
    completing: ((String) -> [String])? = nil, accepted: @escaping (String) -> Void
  ) {
    window?.ask(
      TextPrompt(
        label, text: text, isHidden: isHidden, history: history, completing: completing,
        accepted: accepted))
  }

  package func ask(whether question: String, then confirmed: @escaping () -> Void) {
    window?.ask(ConfirmPrompt(question: question, confirmed: confirmed))
  }

  /// Asks for a name and saves the search with that name.
  package func askToSave(search text: String) {
    ask(for: "Save as: ", text: text) { name in
      self.write({ [search = self.search] _ throws(StoreError) in
        try await search.saveSearch(text, name: name)
      }) { id in
        self.note("Saved; it\u{2019}s above your feeds")
        self.window?.reveal(.saved(id))
      }
    }
  }
}
