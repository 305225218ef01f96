package import TerminalViews

/// A sheet that receives all typed text, since its fields get keys before the keymap.
package protocol FormSheet: Sheet {}

extension FormSheet {
  package var commandContext: CommandContext { .help }
  package var bindings: Bindings { Bindings() }
  package var acceptsText: Bool { true }
}

package protocol FieldSheet: FormSheet {
  associatedtype Field: Hashable
  var context: ReaderContext { get }
  var form: Form<Field> { get set }
  /// Called after a key that may have changed a field.
  func edited()
  /// Accepts the form, or moves to its next field.
  func submit()
}

extension FieldSheet {
  package func edited() {}
  package func handle(_ key: Key) -> Bool { handleInForm(key) }

  package func handleInForm(_ key: Key) -> Bool {
    switch form.handle(key) {
    case .stays: edited()
    case .leave: closeAsking()
    case .submit: submit()
    }
    return true
  }

  /// Closes the form; asks first if a field was changed.
  private func closeAsking() {
    if !form.changes.isEmpty {
      context.ask(whether: "Discard the changes?") { [context] in context.window?.closeSheet() }
    } else {
      context.window?.closeSheet()
    }
  }

  package var problem: String? { form.problem }

  /// - Parameters:
  ///   - word: Says what Enter does.
  ///   - suggestions: Names the suggestions of a field.
  package func fieldHints(enter word: String, suggestions: String? = nil) -> [Hint] {
    var hints = [Hint(key: "Enter", word)]
    if let suggestions, form.hasSuggestions { hints.append(Hint(key: "Ctrl-n", suggestions)) }
    if form.isChoice { hints.append(Hint(key: "Space", "change")) }
    return hints + [Hint(key: "Tab", "next"), Hint(key: "Esc", "leave")]
  }

  package func trimmed(_ field: Field) -> String { form.text(field).trimmingWhitespace }
}

/// A form whose action takes time. No field receives keys while the action runs.
package protocol WorkingSheet: FieldSheet {
  var work: TimerToken? { get set }
}

extension WorkingSheet {
  package var readsFeeds: Bool { false }
  package func closed() { work = nil }
  package func handle(_ key: Key) -> Bool { work != nil || handleInForm(key) }

  /// Runs the action of the form, then closes the form, or shows the failure in it.
  package func run(_ action: @escaping () async throws(ActionFailure) -> String) {
    run(action) { [context] sentence in
      context.window?.closeSheet()
      context.note(sentence)
    }
  }

  /// - Parameter then: Called with the result; the form stays open.
  package func run(
    _ action: @escaping () async throws(ActionFailure) -> String,
    then: @escaping (String) -> Void
  ) {
    form.clearError()
    work = context.runInBackground { [weak self, context] in
      do throws(ActionFailure) {
        let result = try await action()
        guard !Task.isCancelled else { return }
        self?.work = nil
        then(result)
        context.invalidate()
      } catch {
        guard !Task.isCancelled else { return }
        self?.work = nil
        self?.form.showError(error.sentence)
        context.invalidate()
      }
    }
  }
}
