import Foundation
import TerminalViews

struct WindowDrawing {
  let context: ReaderContext
  let browser: Browser
  let refreshes: RefreshModel
  let accounts: AccountsModel
  let chord: String
  /// The keys that may follow `chord`, with the titles of their commands.
  let continuations: [(key: String, title: String)]

  func surface(size: Size) -> Surface {
    let canvas = Canvas(size: size, theme: context.theme)
    let layout = browser.layout
    if layout.isTooSmall {
      canvas.write("Too small for Weir", x: 0, y: 0, columns: size.width, .secondary)
      return canvas.surface
    }
    if let sheet = browser.sheet {
      drawRules(canvas, layout, panes: [PaneRules(frame: layout.body, upper: sheet.caption)])
      draw(sheet, on: canvas.part(layout.body), isFocused: true)
    } else {
      drawPanes(canvas, layout)
    }
    drawTopBar(
      canvas.part(layout.topBar),
      caption: layout.upperRule == nil ? browser.focused.caption : nil)
    if let prompt = browser.prompt as? any ListPrompt {
      prompt.draw(list: list(of: prompt.listRows, on: canvas, layout))
    } else if !continuations.isEmpty {
      drawContinuations(on: canvas, layout)
    }
    (browser.prompt as? JumpPrompt)?.draw(over: canvas)
    drawStatusLine(canvas.part(layout.statusLine))
    drawLongMessage(on: canvas, layout)
    return canvas.surface
  }

  /// Returns a cleared canvas for a list just above the status line, below a rule.
  private func list(of rows: Int, on canvas: Canvas, _ layout: Layout) -> Canvas {
    let rows = min(rows, max(1, layout.body.height - 1))
    let bottom = layout.body.y + layout.body.height
    let list = canvas.part(Rect(x: 0, y: bottom - rows, width: layout.size.width, height: rows))
    list.clear()
    if rows < layout.body.height { canvas.rule(y: bottom - rows - 1, role: .accent) }
    if let lower = layout.lowerRule { canvas.rule(y: lower) }
    return list
  }

  /// The least columns for a key and its title beside another.
  private static let continuationColumns = 38

  /// Draws the keys that may follow, in as many columns as have room for most titles.
  private func drawContinuations(on canvas: Canvas, _ layout: Layout) {
    let columns = max(1, min(canvas.width / Self.continuationColumns, continuations.count))
    let rows = (continuations.count + columns - 1) / columns
    let list = list(of: rows, on: canvas, layout)
    let keyColumns = continuations.map { GraphemeWidth.width(of: $0.key) }.max() ?? 0
    let width = canvas.width / columns
    for (index, entry) in continuations.enumerated() {
      let part = list.part(Rect(x: index / rows * width, y: index % rows, width: width, height: 1))
      part.write(entry.key, x: 3, y: 0, .accent)
      part.write(entry.title, x: 5 + keyColumns, y: 0, columns: width - keyColumns - 6)
    }
  }

  private func drawPanes(_ canvas: Canvas, _ layout: Layout) {
    // Panes are drawn first, since captions in the rules may depend on them.
    for (kind, frame) in layout.panes {
      guard let screen = browser.screen(kind) else { continue }
      draw(screen, on: canvas.part(frame), isFocused: kind == browser.focus)
    }
    let captions = layout.panes.map { kind, frame in
      let caption = browser.screen(kind)?.caption
      return PaneRules(
        frame: frame, upper: caption, lower: kind == .reader ? browser.reader.progress : nil,
        isFocused: layout.panes.count > 1 && kind == browser.focus)
    }
    drawRules(canvas, layout, panes: captions)
    for (_, frame) in layout.panes.dropLast() {
      let x = frame.x + frame.width
      canvas.part(layout.body).verticalRule(x: x)
      if let y = layout.upperRule { canvas.write("┬", x: x, y: y, .rule) }
      if let y = layout.lowerRule { canvas.write("┴", x: x, y: y, .rule) }
    }
  }

  /// Draws a screen. The cursor is at its first line unless the screen puts the cursor elsewhere.
  private func draw(_ screen: any Screen, on canvas: Canvas, isFocused: Bool) {
    if isFocused { canvas.focus(y: 0) }
    screen.draw(on: canvas, isFocused: isFocused)
  }

  /// The captions of the rules above and below a pane.
  private struct PaneRules {
    var frame: Rect
    var upper: String?
    var lower: String?
    /// True for the focused pane, whose rule has the accent colour if there are several panes.
    var isFocused = false
  }

  private func drawRules(_ canvas: Canvas, _ layout: Layout, panes: [PaneRules]) {
    if let upper = layout.upperRule { canvas.rule(y: upper) }
    if let lower = layout.lowerRule { canvas.rule(y: lower) }
    for pane in panes {
      if pane.isFocused, let upper = layout.upperRule {
        canvas.rule(y: upper, from: pane.frame.x, columns: pane.frame.width, role: .accent)
      }
      if let text = pane.upper, let upper = layout.upperRule {
        let line = " \(text) ".fitted(to: max(0, pane.frame.width - 4))
        canvas.write(line, x: pane.frame.x + 2, y: upper, .accent)
      }
      if let text = pane.lower, let lower = layout.lowerRule {
        let line = " \(text) "
        let x = pane.frame.x + pane.frame.width - GraphemeWidth.width(of: line) - 2
        canvas.write(line, x: x, y: lower, .secondary)
      }
    }
  }

  private func drawTopBar(_ canvas: Canvas, caption: String?) {
    var right = canvas.width - 1
    for (text, role) in engineState.reversed() {
      let columns = GraphemeWidth.width(of: text)
      guard right - columns > canvas.width / 2 else { break }
      right -= columns
      canvas.write(text, x: right, y: 0, role)
      right -= 2
    }
    // If the window is narrow, the caption of the pane replaces the name of the program.
    let needed = caption.map { GraphemeWidth.width(of: title + $0) + 10 } ?? 0
    var x = needed > right ? 1 : 4 + canvas.write("weir", x: 1, y: 0, .accent)
    x += canvas.write(title, x: x, y: 0, columns: max(0, right - x), .title)
    if let caption {
      canvas.write(caption, x: x + 2, y: 0, columns: max(0, right - x - 2), .accent)
    }
  }

  private var title: String {
    if let sheet = browser.sheet { return sheet.title }
    if browser.focus == .feeds { return browser.feeds.title }
    return browser.articles?.title ?? browser.feeds.title
  }

  /// The time of the last update of a feed or an account.
  var newestSync: Date? {
    ([browser.feeds.model.newestFetch] + accounts.all.map(\.state.syncedAt)).compactMap { $0 }
      .max()
  }

  private var engineState: [(String, Role)] {
    let status = refreshes.status
    var parts: [(String, Role)] = []
    let isPaused = refreshes.pauses.contains(.everything)
    if isPaused { parts.append(("⏸ paused", .warning)) }
    let (done, total) = refreshes.progress
    // The first line of the console shows this already.
    if total > 0, status.quality != .offline, browser.sheet?.showsProgress != true {
      let progress = "⟳ \(AmountWording.grouped(done))/\(AmountWording.grouped(total))"
      if let waiting = refreshes.waiting(at: context.now) {
        let host = SyncWording.waiting(for: waiting.host, waiting.seconds)
        return parts + [("\(progress) · \(host)", .accent)]
      }
      parts.append((progress, .accent))
      if status.rate > 0 { parts.append((AmountWording.rate(status.rate), .secondary)) }
      if refreshes.rates.count > 1 {
        parts.append((Sparkline(refreshes.rates, minimum: 1_000).text, .accent))
      }
    }
    if let text = SyncWording.connection(
      status.quality, since: refreshes.offlineSince, newest: newestSync,
      context.dates)
    {
      parts.append((text, .warning))
    }
    return parts
  }

  private func drawStatusLine(_ canvas: Canvas) {
    if let prompt = browser.prompt { return prompt.draw(on: canvas) }
    var right = canvas.width - 1
    func place(_ text: String, _ role: Role, gap: Int = 3) {
      let columns = GraphemeWidth.width(of: text)
      guard right - columns > canvas.width / 4 else { return }
      right -= columns
      canvas.write(text, x: right, y: 0, role)
      right -= gap
    }
    let message = context.messages.current
    if let help = context.keymap.label(.help), !browser.acceptsText,
      message == nil || canvas.width >= 60
    {
      place("\(help) help", .secondary)
    }
    if browser.sheet == nil, let arrivals = browser.articles?.model.arrivals, arrivals > 0 {
      let key = context.keymap.label(.showArrivals).map { " [\($0)]" } ?? ""
      place("▲ \(AmountWording.grouped(arrivals)) new\(key)", .accent)
    }
    if browser.sheet == nil {
      for account in accounts.failing { place("! \(account.title)", .error) }
      if accounts.refused > 0 {
        place("⇡ \(AmountWording.grouped(accounts.refused)) refused", .error)
      }
      if accounts.waiting > 0 { place("⇡ \(AmountWording.grouped(accounts.waiting))", .secondary) }
    }
    if !chord.isEmpty { place(chord, .accent) }
    let left = canvas.part(Rect(x: 0, y: 0, width: max(0, right), height: 1))
    if let message, !isAboveLine(message, columns: canvas.width) {
      draw(message, on: left)
    } else if case .failure? = message?.kind {
      draw(actions: message, on: left)
    } else {
      draw(browser.focused.hints, on: left)
    }
  }

  private static let mostMessageLines = 4

  /// Returns true if a message is drawn above the status line: a long one, or a failure while a
  /// text is typed in the status line.
  private func isAboveLine(_ message: StatusMessage, columns: Int) -> Bool {
    guard browser.layout.body.height > Self.mostMessageLines else { return false }
    if let prompt = browser.prompt {
      guard case .failure = message.kind else { return false }
      return prompt is TextPrompt
    }
    let help = 9
    let action = actions(of: message).first.map { GraphemeWidth.width(of: $0) + 2 } ?? 0
    return message.text.contains("\n")
      || GraphemeWidth.width(of: message.text) + action + help >= columns
  }

  /// Draws a message that does not fit into the status line in wrapped lines above it.
  private func drawLongMessage(on canvas: Canvas, _ layout: Layout) {
    guard let message = context.messages.current, isAboveLine(message, columns: canvas.width)
    else { return }
    let lines = message.text.split(separator: "\n")
      .flatMap { TextWrapping.lines($0, columns: canvas.width - 2) }.prefix(Self.mostMessageLines)
    let part = canvas.part(
      Rect(
        x: 0, y: layout.statusLine.y - lines.count, width: canvas.width, height: lines.count))
    part.clear()
    let role: Role = if case .failure = message.kind { .error } else { .text }
    for (y, line) in lines.enumerated() { part.write(line, x: 1, y: y, role) }
  }

  private func actions(of message: StatusMessage) -> [String] {
    guard case .failure(let retry, let details) = message.kind else { return [] }
    var actions: [String] = []
    if let details {
      actions.append("[\(context.keymap.label(details) ?? ":\(details.name)")] details")
    }
    // If a sheet is open, the key applies to the selection there.
    if retry != nil, browser.sheet == nil, let key = context.keymap.label(.refresh) {
      actions.append("[\(key)] retry")
    }
    return actions
  }

  /// Draws the keys of a message whose text is above the status line, then the screen's keys.
  private func draw(actions message: StatusMessage?, on canvas: Canvas) {
    let used =
      message.map { actions(of: $0).joined(separator: "  ") }
      .map { canvas.write($0, x: 1, y: 0) } ?? 0
    let x = used > 0 ? used + 2 : 0
    let rest = canvas.part(Rect(x: x, y: 0, width: max(0, canvas.width - x), height: 1))
    draw(browser.focused.hints, on: rest)
  }

  private func draw(_ message: StatusMessage, on canvas: Canvas) {
    guard case .failure = message.kind else {
      let line = message.text.replacing("\n", with: " ")
      canvas.write(line, x: 1, y: 0, columns: canvas.width - 1)
      return
    }
    let actions = actions(of: message)
    let gap = message.text.hasSuffix(":") ? 1 : 2
    // Shows as many actions as fit after the whole sentence, and at least one after a cut sentence.
    let room = canvas.width - 1 - gap - GraphemeWidth.width(of: message.text)
    var tail = actions.first ?? ""
    for action in actions.dropFirst() {
      let longer = tail + "  " + action
      guard GraphemeWidth.width(of: longer) <= room else { break }
      tail = longer
    }
    let space = max(0, canvas.width - 1 - gap - GraphemeWidth.width(of: tail))
    let used = canvas.write(message.text, x: 1, y: 0, columns: space, .error)
    canvas.write(tail, x: 1 + used + gap, y: 0)
  }

  private func draw(_ hints: [Hint], on canvas: Canvas) {
    for place in HintPosition.places(of: hints, context.keymap, width: canvas.width) {
      let x = place.columns.lowerBound
      let used = canvas.write(place.key, x: x, y: 0)
      canvas.write(place.hint.text, x: x + used + 1, y: 0, .secondary)
    }
  }
}
