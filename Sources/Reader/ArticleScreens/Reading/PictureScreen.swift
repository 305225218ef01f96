import ArticleText
import TerminalViews

final class PictureScreen: Sheet {
  private let context: ReaderContext
  private let pictures: ArticlePictures
  private let address: String

  init(_ address: String, _ pictures: ArticlePictures, context: ReaderContext) {
    (self.address, self.pictures, self.context) = (address, pictures, context)
  }

  var commandContext: CommandContext { .reader }
  var title: String { "Picture" }
  var readsFeeds: Bool { false }

  private(set) lazy var bindings = Bindings { [unowned self] in
    [
      Binding(.pictures) { self.context.window?.closeSheet() },
      Binding(.openInBrowser) { self.context.window?.follow(self.address) }.hinted("browser"),
    ]
  }

  func modelUpdated(_ change: StoreChange) {
    if change.contains(.requests) { context.invalidate() }
  }

  func draw(on canvas: Canvas, isFocused: Bool) {
    pictures.need([PictureRow(address: address, row: nil)])
    guard let (columns, rows) = pictures.largest(address, in: canvas.width, canvas.height) else {
      return draw(PictureWording.waiting, on: canvas)
    }
    let (x, y) = ((canvas.width - columns) / 2, (canvas.height - rows) / 2)
    let content = pictures.content(at: address, columns: columns, rows: rows)
    if case .notice(let text) = content { return draw(text, on: canvas) }
    for row in 0..<rows {
      DrawnPictures.draw(content, row: row, columns: columns, x: x, y: y + row, on: canvas)
    }
  }

  private func draw(_ text: String, on canvas: Canvas) {
    let notice = text.fitted(to: canvas.width)
    let x = (canvas.width - GraphemeWidth.width(of: notice)) / 2
    canvas.write(notice, x: x, y: canvas.height / 2, .secondary)
  }
}
