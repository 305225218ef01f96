import ReaderServices
import TerminalViews

/// The rows of one list: compact, or roomy with the first words of articles.
struct ListRows {
  let context: ReaderContext
  let source: ListSource

  var isRoomy: Bool { context.view(of: source).isRoomy ?? context.configuration.isRoomy }

  var bindings: [Binding] {
    [
      Binding(.roomyRows) { toggle() },
      Binding(.thumbnails, unless: context.whyNoPictures) {
        context.toggleThumbnails(isRoomy: isRoomy) { toggle() }
      },
    ]
  }

  /// Changes the rows of the list, or of all lists if the list is not remembered.
  private func toggle() {
    guard source.viewName != nil else { return context.toggleRoomyRows() }
    let isRoomy = !isRoomy
    context.change(viewOf: source) { $0.isRoomy = isRoomy }
  }
}
