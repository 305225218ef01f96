import ReaderServices
import TerminalKit
import TerminalViews

/// The widths of the panes, by keys and by dragging their borders. They apply to the next start
/// too.
extension Browser {
  private static let widthStep = 2

  var widthBindings: [Binding] {
    unowned let browser = self
    return [
      Binding(.widenPane, unless: browser.whySinglePane) { browser.widen(by: $0 * Self.widthStep) },
      Binding(.narrowPane, unless: browser.whySinglePane) {
        browser.widen(by: -$0 * Self.widthStep)
      },
      Binding(.resetPanes) { browser.context.choosePaneWidths(PaneWidths()) },
    ]
  }

  private var whySinglePane: String? {
    layout.panes.count > 1 ? nil : "There is only one pane in view"
  }

  /// Makes the focused pane wider; the last one has the remaining columns.
  private func widen(by columns: Int) {
    let panes = layout.panes
    guard let place = panes.firstIndex(where: { $0.kind == focus }), panes.count > 1 else { return }
    let isLast = place == panes.count - 1
    let (kind, frame) = panes[isLast ? place - 1 : place]
    setWidth(of: kind, to: frame.width + (isLast ? -columns : columns))
  }

  /// Sets the width as far as the other panes allow.
  private func setWidth(of kind: PaneKind, to columns: Int) {
    func widths(_ columns: Int) -> PaneWidths {
      var widths = context.configuration.paneWidths
      switch kind {
      case .feeds: widths.feeds = columns
      case .articles: widths.articles = columns
      case .reader: break
      }
      return widths
    }
    let fitting = layout(with: widths(columns)).frame(kind)?.width ?? columns
    context.choosePaneWidths(widths(fitting))
  }

  /// Handles a press on a border and its release; `false` for any other event.
  func drag(_ event: MouseEvent) -> Bool {
    switch event.action {
    case .press:
      draggedBorder = layout.border(x: event.x, y: event.y)
      return draggedBorder != nil
    case .release:
      guard let kind = draggedBorder, let frame = layout.frame(kind) else { return true }
      draggedBorder = nil
      if event.x != frame.x + frame.width { setWidth(of: kind, to: event.x - frame.x) }
      return true
    case .doubleClick, .wheelUp, .wheelDown: return false
    }
  }
}
