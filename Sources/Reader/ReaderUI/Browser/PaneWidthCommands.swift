import TerminalViews

/// Changes panes, rows and widths, and the widths of panes by dragging borders. Choices are saved
/// for the next start.
struct PaneWidthCommands {
  unowned let browser: Browser
  private static let step = 2

  var bindings: [Binding] { [.offering(.layout, browser.context) { layouts }] }

  private var layouts: [OfferedAction] {
    let context = browser.context
    var layouts: [OfferedAction] = []
    if browser.layout.panes.count > 1 {
      layouts += [
        OfferedAction("wider", "Widen the pane") { widen(by: (Int($0) ?? 1) * Self.step) },
        OfferedAction("narrower", "Narrow the pane") { widen(by: -(Int($0) ?? 1) * Self.step) },
      ]
    }
    layouts += [
      OfferedAction("usual", "Give the panes their usual widths") {
        context.choosePaneWidths(PaneWidths())
      },
      OfferedAction("rows", "Show first words in lists, or stop") {
        guard browser.focus == .articles, let list = browser.articles else {
          return context.toggleRoomyRows()
        }
        list.toggleRows()
      },
      OfferedAction(
        "width", "Line width of articles", note: "\(context.configuration.textWidth)",
        given: { askForWidth($0) }),
    ]
    if browser.focus == .reader, browser.reader.article != nil {
      layouts.append(
        OfferedAction("wrap", "Wrap long lines of code, or scroll them") {
          browser.reader.turnCode()
        })
    }
    return layouts
  }

  private func askForWidth(_ columns: String) {
    let context = browser.context
    guard columns.isEmpty, let widths = context.textWidths() else {
      return context.chooseTextWidth(columns)
    }
    browser.ask(
      Picker("Line width", widths, new: "Other width") { context.chooseTextWidth($0.first ?? "") })
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
