extension ReaderContext {
  /// Asks for one line of text; ↑ recalls earlier texts. `accepted` is not called for an empty
  /// text.
  func ask(
    for label: String, text: String = "", isHidden: Bool = false,
    completing: ((String) -> [String])? = nil, accepted: @escaping (String) -> Void
  ) {
    window?.ask(
      TextPrompt(
        label, text: text, isHidden: isHidden, history: history, completing: completing,
        accepted: accepted))
  }

  func ask(whether question: String, then confirmed: @escaping () -> Void) {
    window?.ask(ConfirmPrompt(question: question, confirmed: confirmed))
  }
}

/// Texts that were typed into prompts while the reader is open, the newest first.
final class PromptHistory {
  private var texts: [String: [String]] = [:]
  private static let most = 50

  func texts(of label: String) -> [String] { texts[label] ?? [] }

  func add(_ text: String, to label: String) {
    let others = texts(of: label).filter { $0 != text }
    texts[label] = Array(([text] + others).prefix(Self.most))
  }
}
