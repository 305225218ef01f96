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
      draw(sheet, on: canvas.part(layout.body), isFocused: true)
      if let lower = layout.lowerRule { canvas.rule(y: lower) }
      let facts = [(sheet.title, Role.accent), (sheet.caption ?? "", .secondary)]
      drawFrame(canvas, panes: [(layout.body, facts, false)])
    } else {
      drawPanes(canvas, layout)
    }
    if let prompt = browser.prompt as? any ListPrompt {
      prompt.draw(list: list(of: prompt.listRows, on: canvas, layout))
    } else if !continuations.isEmpty {
      drawContinuations(on: canvas, layout)
    }
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
    drawFrame(
      canvas,
      panes: layout.panes.map { kind, frame in
        let facts = facts(
          of: kind, isAlone: layout.panes.count == 1, isLast: kind == layout.panes.last?.kind)
        return (frame, facts, layout.panes.count > 1 && kind == browser.focus)
      })
    if let lower = layout.lowerRule {
      canvas.rule(y: lower)
      if let frame = layout.frame(.reader), let progress = browser.reader.progress {
        let line = " \(progress) "
        let x = frame.x + frame.width - GraphemeWidth.width(of: line) - 2
        canvas.write(line, x: x, y: lower, .secondary)
      }
    }
    for (_, frame) in layout.panes.dropLast() {
      let x = frame.x + frame.width
      canvas.part(layout.body).verticalRule(x: x)
      canvas.write("┬", x: x, y: layout.frameLine, .rule)
      if let y = layout.lowerRule { canvas.write("┴", x: x, y: y, .rule) }
    }
  }

  /// Returns the facts above a pane: the place, the position in the list, and new articles.
  private func facts(of kind: PaneKind, isAlone: Bool, isLast: Bool) -> [Fact] {
    let (list, caption) = (browser.articles, browser.screen(kind)?.caption ?? "")
    let arrivals = isLast ? list?.model.arrivals ?? 0 : 0
    let key = context.keymap.label(.showArrivals).map { " [\($0)]" } ?? ""
    let news: [Fact] = [
      (caption, .secondary), (isLast ? list?.position ?? "" : "", .secondary),
      (arrivals > 0 ? "▲ \(AmountWording.grouped(arrivals)) new\(key)" : "", .accent),
    ]
    switch kind {
    case .feeds: return [(isAlone ? browser.feeds.title : "", .accent), (caption, .secondary)]
    case .articles:
      let length = isLast ? nil : list?.length
      let title = [list?.title, length.map(AmountWording.grouped)].compactMap(\.self)
      return [(title.joined(separator: " "), .accent)] + news
    case .reader: return [(isAlone ? list?.title ?? "" : "", .accent)] + news
    }
  }

  /// Draws a screen. The cursor is at its first line unless the screen puts the cursor elsewhere.
  private func draw(_ screen: any Screen, on canvas: Canvas, isFocused: Bool) {
    if isFocused { canvas.focus(y: 0) }
    screen.draw(on: canvas, isFocused: isFocused)
  }

  /// A text of the line above the panes; an empty one is left out.
  private typealias Fact = (text: String, role: Role)

  /// Draws the line above the panes: a rule with the facts of each pane, and at its end the state
  /// of the sync.
  private func drawFrame(
    _ canvas: Canvas, panes: [(frame: Rect, facts: [Fact], isFocused: Bool)]
  ) {
    let line = canvas.part(Rect(x: 0, y: 0, width: canvas.width, height: 1))
    line.rule(y: 0)
    var end = line.width - 1
    let needed =
      panes.last.map { frame, facts, _ in
        facts.reduce(frame.x) { $0 + ($1.text.isEmpty ? 0 : GraphemeWidth.width(of: $1.text) + 3) }
      } ?? 0
    for (text, role) in engineState.reversed() {
      let columns = GraphemeWidth.width(of: text) + 2
      // The time of the last refresh gives way to the facts of the last pane.
      let least = role == .secondary ? max(needed, line.width / 2) : line.width / 2
      guard end - columns > least else { break }
      end -= columns
      line.write(" \(text) ", x: end, y: 0, role)
    }
    for (frame, facts, isFocused) in panes {
      if isFocused {
        line.rule(y: 0, from: frame.x, columns: min(frame.width, end - frame.x), role: .accent)
      }
      var x = frame.x == 0 ? 0 : frame.x + 1
      for (text, role) in facts where !text.isEmpty {
        let room = min(end, frame.x + frame.width) - x - 1
        guard room > 2 else { break }
        x += 1 + line.write(" \(text.fitted(to: room - 2)) ", x: x, y: 0, role)
      }
    }
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
    }
    if let text = SyncWording.connection(
      status.quality, since: refreshes.offlineSince, newest: newestSync,
      context.dates)
    {
      parts.append((text, .warning))
    }
    if parts.isEmpty, let newestSync {
      parts.append((context.dates.moment(newestSync), .secondary))
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
