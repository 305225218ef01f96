package import TerminalViews

/// Choices about the appearance, previewed while they are highlighted, and remembered.
extension ReaderContext {
  package func themes() -> ArgumentChoices? {
    let before = configuration.theme
    return ArgumentChoices(
      all: configuration.settings.themeNames, current: before,
      highlighted: { [weak self] in self?.setTheme($0) },
      cancelled: { [weak self] in self?.setTheme(before) })
  }

  private func setTheme(_ name: String) { change { $0.theme = name } }

  func change(_ body: (inout ReaderConfiguration) -> Void) { appearance.change(body) }

  /// Applies a choice and saves it without a question. A value in the configuration takes
  /// precedence at the next start.
  package func choose(
    _ setting: ReaderSetting, _ value: String,
    _ body: (inout ReaderConfiguration) -> Void = { _ in }
  ) {
    change { configuration in
      configuration.remembered[setting] = value
      body(&configuration)
    }
    actions.remember(setting, value)
    if configuration.fixed.contains(setting.name) {
      note("Until you quit; your configuration sets \(setting.name)")
    }
  }

  package func chooseTheme(_ name: String) {
    setTheme(name)
    choose(.theme, name)
  }

  package func textWidths() -> ArgumentChoices? {
    let before = configuration.textWidth
    return ArgumentChoices(
      all: ["60", "66", "72", "80", "100"], current: "\(before)",
      highlighted: { [weak self] in self?.setTextWidth($0) },
      cancelled: { [weak self] in self?.setTextWidth("\(before)") })
  }

  @discardableResult
  private func setTextWidth(_ text: String) -> Bool {
    guard let width = Int(text), (20...1_000).contains(width) else { return false }
    change { $0.textWidth = width }
    return true
  }

  package func chooseTextWidth(_ text: String) {
    guard setTextWidth(text) else { return note("Type a number from 20 to 1000") }
    choose(.textWidth, text)
  }

  package func choosePaneWidths(_ widths: PaneWidths) {
    guard widths != configuration.paneWidths else { return }
    // 0 means that the width depends on the window.
    choose(.feedsWidth, "\(widths.feeds ?? 0)")
    choose(.articlesWidth, "\(widths.articles ?? 0)")
  }

  package func toggleRoomyRows() {
    let isRoomy = !configuration.isRoomy
    choose(.rows, isRoomy ? "roomy" : "compact") { $0.isRoomy = isRoomy }
  }
}
