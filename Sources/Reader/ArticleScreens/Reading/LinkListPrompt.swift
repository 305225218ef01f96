import ArticleText
import TerminalViews

/// The links of an article: a number opens a link, letters search the links.
final class LinkListPrompt: ListPrompt {
  enum Use {
    case open
    case openWith
  }

  private let links: [ArticleLink]
  private let context: ReaderContext
  private let chosen: (ArticleLink, Use) -> Void
  /// Indices of the listed links.
  private var shown: [Int]
  private var list = ChoiceList(selected: 0)
  private var rows = 1
  /// Digits of the number that is being typed.
  private var digits = ""
  /// The text to search; `nil` if single letters are commands.
  private var field: TextField?
  /// The outcome of the last key.
  private var note: String?

  /// - Parameter chosen: Called with the chosen link and its use.
  init(
    _ links: [ArticleLink], context: ReaderContext,
    chosen: @escaping (ArticleLink, Use) -> Void
  ) {
    self.links = links
    self.context = context
    self.chosen = chosen
    shown = Array(links.indices)
  }

  private var selected: Int { list.selected ?? 0 }
  private var current: ArticleLink? {
    shown.indices.contains(selected) ? links[shown[selected]] : nil
  }

  func handle(_ key: Key) -> (() -> Void)? {
    note = nil
    switch key {
    case .escape:
      guard field != nil else { return {} }
      search(nil)
    case .enter: return use(.open)
    case .up, .control("p"), .backTab: move(-1)
    case .down, .control("n"), .tab: move(1)
    case .pageUp: move(-max(1, rows - 1))
    case .pageDown: move(max(1, rows - 1))
    case .control("y"): copy()
    case .control("o"): return use(.openWith)
    case .character(let character) where field == nil: return handle(character)
    case .backspace where field?.text.isEmpty == true: search(nil)
    case .backspace where field == nil: select(number: String(digits.dropLast()))
    default:
      guard var field else { return nil }
      if field.handle(key) { search(field) }
    }
    return nil
  }

  /// Handles a character while the search field is closed.
  private func handle(_ character: Character) -> (() -> Void)? {
    switch character {
    case "y": copy()
    case "O": return use(.openWith)
    case "/": search(TextField())
    case _ where character.isASCII && character.wholeNumberValue != nil:
      select(number: digits + String(character))
      if let number = Int(digits), number * 10 > links.count { return use(.open) }
    default:
      var field = TextField()
      _ = field.handle(.character(character))
      search(field)
    }
    return nil
  }

  private func select(number text: String) {
    let number = Int(text) ?? 0
    guard text.isEmpty || (1...links.count).contains(number) else { return }
    digits = text.isEmpty ? "" : String(number)
    if number > 0 { list.selected = number - 1 }
  }

  private func search(_ field: TextField?) {
    self.field = field
    digits = ""
    let needle = field?.text.lowercased() ?? ""
    shown = links.indices.filter { needle.isEmpty || links[$0].matches(needle) }
    list = ChoiceList(selected: 0)
  }

  private func move(_ steps: Int) {
    digits = ""
    list.selected = min(max(0, selected + steps), max(0, shown.count - 1))
  }

  private func use(_ use: Use) -> (() -> Void)? {
    guard let link = current else { return nil }
    guard use == .open || link.address != nil else {
      note = LinkWording.leadsWithin
      return nil
    }
    return { [chosen] in chosen(link, use) }
  }

  private func copy() {
    guard let address = current?.address else { return }
    let text = Confusables.shown(address)
    note = context.terminal.copy(address) ? "Copied \(text)" : text
  }

  private static let mostRows = 12
  var listRows: Int { min(Self.mostRows, max(1, links.count)) }

  func draw(list canvas: Canvas) {
    rows = canvas.height
    guard !shown.isEmpty else {
      let text = LinkWording.noMatch(field?.text ?? "")
      canvas.write(text, x: 2, y: 0, columns: canvas.width - 3, .secondary)
      return
    }
    list.draw(shown.count, on: canvas) { draw(shown[$0], $1, on: canvas) }
  }

  private func draw(_ index: Int, _ y: Int, on canvas: Canvas) {
    let link = links[index]
    let digits = String(links.count).count
    canvas.write(String(index + 1), x: 2, y: y, columns: digits, align: .right, .secondary)
    let left = 4 + digits
    let place = link.place.fitted(to: max(0, canvas.width / 3))
    let width = GraphemeWidth.width(of: place)
    canvas.write(
      link.text, x: left, y: y, columns: max(1, canvas.width - left - width - 3),
      style: canvas.theme.style(.text), link: link.address)
    canvas.write(place, x: canvas.width - width - 1, y: y, .secondary)
  }

  func draw(on canvas: Canvas) {
    if let note {
      canvas.write(note, x: 1, y: 0, columns: max(0, canvas.width - 2), truncation: .middle)
      return
    }
    if let field {
      let used = canvas.write("Search links: ", x: 1, y: 0, .accent)
      return field.draw(on: canvas, x: 1 + used, y: 0)
    }
    var x = 1 + canvas.write("Open link: ", x: 1, y: 0, .accent)
    x += canvas.write(digits, x: x, y: 0)
    canvas.showCursor(x: x, y: 0)
    x += 1 + canvas.write(" of \(links.count)", x: x + 1, y: 0, .secondary)
    for (key, text) in Self.hints {
      let columns = key.count + text.count + 1
      guard x + 3 + columns < canvas.width else { break }
      x += 3
      x += canvas.write(key, x: x, y: 0) + 1
      x += canvas.write(text, x: x, y: 0, .secondary)
    }
  }

  private static let hints = [
    ("Enter", "open"), ("y", "copy"), ("O", "open with"), ("a–z /", "search"), ("Esc", "close"),
  ]
}
