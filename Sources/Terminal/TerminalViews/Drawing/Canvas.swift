/// A rectangle of the surface with its own coordinates; drawing is clipped at its edges.
public struct Canvas {
  /// The surface that all canvases of one drawing share.
  private final class Sheet {
    var surface: Surface
    init(_ surface: Surface) { self.surface = surface }
  }

  private let sheet: Sheet
  private let frame: Rect
  public let theme: Theme

  public init(size: Size, theme: Theme) {
    var surface = Surface(size: size)
    let ground = theme.style(.text)
    if ground != .plain { surface.fill(surface.bounds, style: ground, with: " ") }
    sheet = Sheet(surface)
    frame = surface.bounds
    self.theme = theme
  }

  private init(sheet: Sheet, frame: Rect, theme: Theme) {
    (self.sheet, self.frame, self.theme) = (sheet, frame, theme)
  }

  public var surface: Surface { sheet.surface }
  public var width: Int { frame.width }
  public var height: Int { frame.height }

  public func part(_ rect: Rect) -> Canvas {
    let moved = Rect(
      x: frame.x + rect.x, y: frame.y + rect.y, width: rect.width, height: rect.height)
    return Canvas(sheet: sheet, frame: moved.intersection(frame), theme: theme)
  }

  /// Writes a text from column `x`, shortened with `…` to `columns` if given, otherwise clipped at
  /// the edge. Returns the columns used.
  @discardableResult
  public func write(
    _ text: String, x: Int, y: Int, columns: Int? = nil, align: TextAlignment = .left,
    truncation: Truncation = .end, style: Style, link: String? = nil
  ) -> Int {
    guard y >= 0, y < height, x >= 0, x < width else { return 0 }
    guard let columns else {
      return sheet.surface.write(
        text, x: frame.x + x, y: frame.y + y, style: style, link: link, maxWidth: width - x)
    }
    return sheet.surface.write(
      text, x: frame.x + x, y: frame.y + y, width: min(columns, width - x), alignment: align,
      // Addresses of one site differ at their ends.
      truncation: text.isAddress ? .middle : truncation, style: style, link: link)
  }

  /// Writes in the style of a role; see `write(_:x:y:columns:align:truncation:style:link:)`.
  @discardableResult
  public func write(
    _ text: String, x: Int, y: Int, columns: Int? = nil, align: TextAlignment = .left,
    truncation: Truncation = .end, _ role: Role = .text
  ) -> Int {
    write(
      text, x: x, y: y, columns: columns, align: align, truncation: truncation,
      style: theme.style(role))
  }

  /// Writes a text from line `y`, wrapped at the right edge. Returns the lines used.
  @discardableResult
  public func write(paragraph text: String, y: Int = 0, _ role: Role) -> Int {
    let lines = TextWrapping.lines(text, columns: width)
    for (offset, line) in lines.enumerated() { write(line, x: 0, y: y + offset, role) }
    return lines.count
  }

  /// Writes a text with marked hits into `columns` columns; returns the columns used.
  @discardableResult
  public func write(
    _ pieces: [(text: Substring, isHit: Bool)], x: Int, y: Int, columns: Int, _ role: Role
  ) -> Int {
    let columns = min(columns, width - x)
    if pieces.count == 1, !pieces[0].isHit {
      return write(String(pieces[0].text), x: x, y: y, columns: columns, role)
    }
    var used = 0
    var rest = pieces.reduce(0) { $0 + GraphemeWidth.width(of: String($1.text)) }
    for piece in pieces where used < columns {
      let (text, space) = (String(piece.text), columns - used)
      let needed = GraphemeWidth.width(of: text)
      // The piece that fills the line ends in the mark of the omitted pieces.
      let isLast = needed >= space && rest > space
      // A hit must be visible in a dim passage too.
      let style = theme.style(piece.isHit ? (role == .secondary ? [.hit] : [role, .hit]) : [role])
      used += write(
        isLast ? text + "\u{2026}" : text, x: x + used, y: y, columns: space, style: style)
      if isLast { break }
      rest -= needed
    }
    return used
  }

  /// Writes the effect of a choice at the right of a prompt, if half of the line stays free.
  package func write(effect: String) {
    let columns = GraphemeWidth.width(of: effect)
    guard columns > 0, columns < width / 2 else { return }
    write(effect, x: width - columns - 1, y: 0, .secondary)
  }

  /// Draws a row of cells; cells without a background get the theme's.
  public func draw(_ cells: some Sequence<Cell>, x: Int, y: Int) {
    let ground = theme.style(.text).background
    for (offset, var cell) in cells.enumerated() {
      guard y >= 0, y < height, x + offset >= 0, x + offset < width else { continue }
      if cell.style.background == .default { cell.style.background = ground }
      sheet.surface[frame.x + x + offset, frame.y + y] = cell
    }
  }

  /// Draws a row of a picture that was sent to the terminal.
  public func place(picture: UInt32, row: Int, columns: Int, x: Int, y: Int) {
    for column in 0..<columns {
      guard y >= 0, y < height, x + column >= 0, x + column < width else { continue }
      sheet.surface.place(
        picture: picture, row: row, column: column, x: frame.x + x + column, y: frame.y + y)
    }
  }

  /// Fills the canvas with the background of `Role.text`.
  public func clear() {
    sheet.surface.fill(frame, style: theme.style(.text), with: " ")
  }

  public func rule(
    y: Int, from x: Int = 0, columns: Int? = nil, role: Role = .rule, character: Character = "─"
  ) {
    sheet.surface.fill(
      Rect(x: frame.x + x, y: frame.y + y, width: columns ?? width - x, height: 1)
        .intersection(frame), style: theme.style(role), with: character)
  }

  public func verticalRule(x: Int, character: Character = "│") {
    sheet.surface.fill(
      Rect(x: frame.x + x, y: frame.y, width: 1, height: height).intersection(frame),
      style: theme.style(.rule), with: character)
  }

  /// Marks the selected row and, in the pane with the focus, gives it the style of a selection.
  public func select(row y: Int, isFocused: Bool = true) {
    defer { mark(row: y) }
    guard isFocused else { return }
    focus(y: y)
    let style = theme.style(.selection)
    sheet.surface.restyle(row(y)) { old in
      let kept = old.attributes.intersection([.bold, .underline])
      old = style
      old.attributes.formUnion(kept)
    }
  }

  /// Draws the accent at the left of the selected row, on the row's background.
  public func mark(row y: Int) {
    guard y >= 0, y < height, width > 0 else { return }
    let cell = sheet.surface[frame.x, frame.y + y].style
    var style = theme.style(.accent)
    if !cell.attributes.contains(.reverse) { style.background = cell.background }
    write("▎", x: 0, y: y, style: style)
  }

  /// Applies a role's background and attributes to a row, and the role's own text colour, if any.
  public func restyle(row y: Int, _ role: Role) {
    let (style, text) = (theme.style(role), theme.style(.text))
    sheet.surface.restyle(row(y)) { old in
      old.background = style.background
      old.attributes.formUnion(style.attributes)
      guard style.foreground != text.foreground else { return }
      old.foreground = style.foreground
      old.attributes.remove(.dim)
    }
  }

  private func row(_ y: Int) -> Rect {
    Rect(x: frame.x, y: frame.y + y, width: width, height: 1).intersection(frame)
  }

  /// Shows the terminal's cursor in a cell; outside the canvas, does nothing.
  public func showCursor(x: Int, y: Int) {
    guard x >= 0, y >= 0, x < width, y < height else { return }
    sheet.surface.cursor = (frame.x + x, frame.y + y)
  }

  /// Puts the terminal's hidden cursor into a cell, unless a cursor is shown; outside the canvas,
  /// does nothing.
  public func focus(x: Int = 0, y: Int) {
    guard x >= 0, y >= 0, x < width, y < height else { return }
    sheet.surface.focus = (frame.x + x, frame.y + y)
  }

  /// Returns a column of comfortable width for text, at the left of a canvas.
  public static func column(in canvas: Canvas) -> Canvas {
    canvas.part(
      Rect(
        x: min(3, canvas.width), y: 0, width: min(80, max(0, canvas.width - 4)),
        height: canvas.height))
  }
}

extension String {
  /// True for an address, with or without a scheme: a path without spaces.
  fileprivate nonisolated var isAddress: Bool {
    utf8.contains(0x2F) && !utf8.contains(0x20) && utf8.contains(0x2E)
  }
}
