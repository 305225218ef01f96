package import TerminalViews

/// An action that a command offers beside others, such as one of the lists of `gl`.
package struct OfferedAction {
  /// The name after the command's: "lists asleep".
  let name: String
  let title: String
  let note: String
  /// Called with the text after the name; empty if the action was chosen from the list.
  let run: (String) -> Void

  package init(
    _ name: String, _ title: String, note: String? = nil, given run: @escaping (String) -> Void
  ) { (self.name, self.title, self.note, self.run) = (name, title, note ?? "", run) }

  package init(
    _ name: String, _ title: String, note: String? = nil, _ run: @escaping () -> Void
  ) { self.init(name, title, note: note) { _ in run() } }
}

extension Binding {
  /// Binds a command whose argument names one of several actions.
  /// - Parameters:
  ///   - last: the setting that remembers the last choice, which then comes first; `nil` to keep
  ///     the order.
  ///   - other: called with a text that names no action.
  package static func offering(
    _ command: Command, _ context: ReaderContext, last: ReaderSetting? = nil,
    other: ((String) -> Void)? = nil, _ actions: @escaping () -> [OfferedAction]
  ) -> Binding {
    let sorted = {
      let all = actions()
      let name = last.flatMap { context.configuration.remembered[$0] }
      return all.filter { $0.name == name } + all.filter { $0.name != name }
    }
    return Binding(command, choices: { choices(sorted()) }) { text in
      let name = text.prefix { $0 != " " }
      guard let action = actions().first(where: { $0.name == name || $0.name == text }) else {
        return other.map { $0(text) }
          ?? context.note("\u{201C}\(text)\u{201D} is not possible here")
      }
      if let last { context.choose(last, action.name) }
      action.run(text.dropFirst(action.name.count).description.trimmingWhitespace)
    }
  }

  private static func choices(_ actions: [OfferedAction]) -> ArgumentChoices {
    var choices = ArgumentChoices(
      all: actions.map(\.name), current: actions.first?.name ?? "",
      titles: Dictionary(actions.map { ($0.name, $0.title) }) { first, _ in first },
      newNeedsText: false)
    choices.notes = Dictionary(actions.map { ($0.name, $0.note) }) { first, _ in first }
    return choices
  }
}
