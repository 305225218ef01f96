/// What is asked in the status line.
extension ReaderContext {
  /// Asks for one line of text; what was typed there before comes back with ↑.
  /// - Parameters:
  ///   - label: "Save to: ".
  ///   - text: is in the line already, selected.
  ///   - isHidden: a password.
  ///   - completing: what the text can be completed to by Tab.
  ///   - accepted: called with what was typed; not where there is nothing.
  func ask(
    for label: String, text: String = "", isHidden: Bool = false,
    completing: ((String) -> [String])? = nil, accepted: @escaping (String) -> Void
  ) {
    window?.ask(
      TextPrompt(
        label, text: text, isHidden: isHidden, history: history, completing: completing,
        accepted: accepted))
  }

  /// Asks yes or no.
  func ask(whether question: String, then confirmed: @escaping () -> Void) {
    window?.ask(ConfirmPrompt(question: question, confirmed: confirmed))
  }
}

/// What was typed into prompts while the reader is open, the newest first.
final class PromptHistory {
  private var texts: [String: [String]] = [:]
  private static let most = 50

  func texts(of label: String) -> [String] { texts[label] ?? [] }

  func add(_ text: String, to label: String) {
    let others = texts(of: label).filter { $0 != text }
    texts[label] = Array(([text] + others).prefix(Self.most))
  }
}
