/// A terminal for tests, which stores surfaces and returns prepared keys.
final class VirtualTerminal: Terminal {
  private(set) var size: Size
  let colorDepth: ColorDepth
  /// True by default.
  var supportsUTF8 = true
  private(set) var surface: Surface?
  private(set) var presentCount = 0
  private(set) var redrawCount = 0
  private(set) var title: String?
  private(set) var clipboard: String?
  var hasClipboard = true
  private(set) var suspensionCount = 0
  private(set) var isClosed = false
  /// Called when keys are available.
  var onInput: (() -> Void)?
  private var keys: [Key] = []

  /// 80 × 24 cells and 256 colours by default.
  init(size: Size = Size(width: 80, height: 24), colorDepth: ColorDepth = .ansi256) {
    self.size = size
    self.colorDepth = colorDepth
  }

  // MARK: The person at the keyboard

  /// Presses keys that arrive in one read.
  func press(_ keys: Key...) { press(keys) }

  /// Presses keys that arrive in one read.
  func press(_ keys: [Key]) {
    self.keys += keys
    onInput?()
  }

  /// Types text by character; a line feed is Enter.
  func type(_ text: String) {
    press(text.map { $0 == "\n" ? .enter : .character($0) })
  }

  /// Resizes the window.
  func resize(to size: Size) {
    self.size = size
    press(.resize(size))
  }

  // MARK: The screen

  /// The rows without trailing blanks, each with a line feed.
  var text: String {
    guard let surface else { return "" }
    return (0..<surface.size.height).map { Self.line(surface.row($0)) + "\n" }.joined()
  }

  /// The rows; then, for each, a letter per column for its style (`.` is plain, omitted at the
  /// end); then a legend. Links are part of the style.
  var styled: String {
    guard let surface else { return "" }
    var legend: [String] = []
    var letters: [String: Character] = [:]
    var grid = ""
    for y in 0..<surface.size.height {
      var row = ""
      for cell in surface.row(y) {
        let description = Self.description(of: cell)
        if description.isEmpty {
          row.append(".")
          continue
        }
        if letters[description] == nil {
          letters[description] = Self.letter(letters.count)
          legend.append(description)
        }
        row.append(letters[description] ?? "?")
      }
      while row.last == "." { row.removeLast() }
      grid += row + "\n"
    }
    let meanings = legend.enumerated().map { "\(Self.letter($0.offset)) \($0.element)\n" }.joined()
    let cursor = surface.cursor.map { "cursor \($0.x),\($0.y)\n" } ?? ""
    return text + "--\n" + grid + "--\n" + meanings + cursor
  }

  private static func line(_ cells: SurfaceRow) -> String {
    var line = cells.reduce(into: "") { $0 += $1.text }
    while line.last == " " { line.removeLast() }
    return line
  }

  private static func letter(_ number: Int) -> Character {
    let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
    return number < letters.count ? letters[number] : "?"
  }

  private static func description(of cell: Cell) -> String {
    var parts: [String] = cell.style.description.isEmpty ? [] : [cell.style.description]
    if let link = cell.link { parts.append("link=\(link)") }
    return parts.joined(separator: " ")
  }

  // MARK: Terminal

  /// Stores the surface and counts the calls.
  func present(_ surface: Surface) {
    presentCount += 1
    self.surface = surface
  }

  /// Counts the calls.
  func redraw() { redrawCount += 1 }

  /// Returns the keys since the last call, in order.
  func readKeys() -> [Key] {
    defer { keys = [] }
    return keys
  }

  var cellPixels: Size?
  var graphics: PictureProtocol?
  private(set) var sentPictures: [TerminalPicture] = []

  /// Returns numbers from 16 in the order of sending, or `nil` without `graphics`.
  func number(of picture: TerminalPicture) -> UInt32? {
    guard graphics != nil else { return nil }
    if let index = sentPictures.firstIndex(of: picture) { return UInt32(index + 16) }
    sentPictures.append(picture)
    return UInt32(sentPictures.count + 15)
  }

  /// Sets `title`.
  func setTitle(_ title: String) { self.title = title }

  /// Sets `clipboard`, or returns false without `hasClipboard`.
  func copy(_ text: String) -> Bool {
    if hasClipboard { clipboard = text }
    return hasClipboard
  }

  /// Runs `body` and counts the calls.
  func suspended<T>(_ body: () throws -> T) rethrows -> T {
    suspensionCount += 1
    return try body()
  }

  /// Sets `isClosed`.
  func close() { isClosed = true }
}
