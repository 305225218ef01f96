/// Texts typed into prompts since the reader was opened, the newest first.
public final class PromptHistory {
  private var texts: [String: [String]] = [:]

  public init() {}
  private static let most = 50

  func texts(of label: String) -> [String] { texts[label] ?? [] }

  func add(_ text: String, to label: String) {
    let others = texts(of: label).filter { $0 != text }
    texts[label] = Array(([text] + others).prefix(Self.most))
  }
}
