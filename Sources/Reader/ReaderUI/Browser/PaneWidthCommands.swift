import TerminalViews

/// Changes the widths of panes, by keys and by dragging borders. Widths are saved for the next
/// start.
struct PaneWidthCommands {
  unowned let browser: Browser
  private static let step = 2

  var bindings: [Binding] {
    return [
      Binding(.widenPane, unless: whySinglePane) { widen(by: $0 * Self.step) },
      Binding(.narrowPane, unless: whySinglePane) {
        widen(by: -$0 * Self.step)
      },
      Binding(.resetPanes) { browser.context.choosePaneWidths(PaneWidths()) },
    ]
  }

  private var whySinglePane: String? {
    browser.layout.panes.count > 1 ? nil : "There is only one pane in view"
  }

  /// Widens the focused pane; the last one has the remaining columns.
  private func widen(by columns: Int) {
    let panes = browser.layout.panes
    guard let place = panes.firstIndex(where: { $0.kind == browser.focus }), panes.count > 1 else {
      return
    }
    let isLast = place == panes.count - 1
    let (kind, frame) = panes[isLast ? place - 1 : place]
    setWidth(of: kind, to: frame.width + (isLast ? -columns : columns))
  }

  /// Sets the width as far as the other panes allow.
  private func setWidth(of kind: PaneKind, to columns: Int) {
    func widths(_ columns: Int) -> PaneWidths {
      var widths = browser.context.configuration.paneWidths
      switch kind {
      case .feeds: widths.feeds = columns
      case .articles: widths.articles = columns
      case .reader: break
      }
      return widths
    }
    let fitting = browser.layout(with: widths(columns)).frame(kind)?.width ?? columns
    browser.context.choosePaneWidths(widths(fitting))
  }

  /// Handles a press on a border and its release; `false` for any other event.
  func drag(_ event: MouseEvent) -> Bool {
    switch event.action {
    case .press:
      browser.draggedBorder = browser.layout.border(x: event.x, y: event.y)
      return browser.draggedBorder != nil
    case .release:
      guard let kind = browser.draggedBorder, let frame = browser.layout.frame(kind) else {
        return true
      }
      browser.draggedBorder = nil
      if event.x != frame.x + frame.width { setWidth(of: kind, to: event.x - frame.x) }
      return true
    case .doubleClick, .wheelUp, .wheelDown: return false
    }
  }
}
