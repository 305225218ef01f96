import Foundation
import TerminalViews

// The arrangement is a function of the size alone, so that nothing jumps while numbers change.
extension ConsoleScreen {
  /// The least width at which the hosts are shown beside a list.
  private static let twoColumns = 130
  private static let margin = 1
  /// The least height of a list that has a rule under its heading.
  private static let ruledFrom = 6

  func draw(on canvas: Canvas, isFocused: Bool) {
    let isTall = canvas.height >= 12
    var y = drawState(on: canvas)
    y += drawGraphs(on: canvas, y: y)
    if isTall { y += 1 }
    drawnTabs = []
    drawnLists = []
    let height = max(0, canvas.height - y)
    if canvas.width >= Self.twoColumns {
      let left = canvas.width * 11 / 20
      let columns = [
        (Rect(x: 0, y: y, width: left, height: height), model.lastList),
        (Rect(x: left + 1, y: y, width: canvas.width - left - 1, height: height), .hosts),
      ]
      canvas.part(Rect(x: 0, y: y, width: canvas.width, height: height)).verticalRule(x: left)
      for (frame, section) in columns {
        let tabs = section == .hosts ? [.hosts] : [ConsoleModel.Section.running, .waiting, .failed]
        drawList(section, tabs: tabs, on: canvas.part(frame), origin: (frame.x, frame.y))
      }
      if height >= Self.ruledFrom { canvas.write("┼", x: left, y: y + 1, .rule) }
    } else {
      drawList(
        model.section, tabs: ConsoleModel.Section.allCases,
        on: canvas.part(Rect(x: 0, y: y, width: canvas.width, height: height)), origin: (0, y))
    }
  }

  // MARK: The sentence

  /// Returns the lines used.
  private func drawState(on canvas: Canvas) -> Int {
    var x = Self.margin
    for (index, part) in stateParts.enumerated() {
      let text = index == 0 ? part.text : " · " + part.text
      guard x + GraphemeWidth.width(of: text) < canvas.width else { break }
      if index > 0 { x += canvas.write(" · ", x: x, y: 0, .rule) }
      x += canvas.write(part.text, x: x, y: 0, part.role)
    }
    guard canvas.height >= 8 else { return 1 }
    canvas.write(
      explanation, x: Self.margin, y: 1, columns: canvas.width - 2 * Self.margin, .secondary)
    return 2
  }

  private var stateParts: [(text: String, role: Role)] {
    let status = model.status
    var parts: [(text: String, role: Role)] = []
    if model.isPaused { parts.append(("paused", .warning)) }
    if let connection = SyncWording.connection(
      status.quality, since: model.offlineSince, newest: nil, context.dates)
    {
      parts.append((connection, .warning))
    }
    if status.isRunning {
      let (done, total) = (AmountWording.grouped(status.done), AmountWording.grouped(status.total))
      parts.append(("\(done) of \(total)", .title))
      if status.rate > 0 { parts.append((AmountWording.rate(status.rate), .text)) }
      if !model.isPaused, status.quality != .offline, let left = model.prospect(at: context.now) {
        parts.append((left, .text))
      }
    } else {
      parts.append(("idle", .text))
      if let endedAt = status.endedAt {
        let feeds = AmountWording.feeds(status.done)
        parts.append(("\(feeds) at \(context.dates.moment(endedAt))", .secondary))
      }
    }
    if status.newArticles > 0 {
      parts.append(("\(AmountWording.grouped(status.newArticles)) new", .text))
    }
    if status.bytes > 0 { parts.append((AmountWording.bytes(Double(status.bytes)), .secondary)) }
    return parts
  }

  /// The reason for the concurrency limit; if nothing runs, the next planned refresh.
  private var explanation: String {
    let telemetry = model.telemetry
    if telemetry.operations.isEmpty, !model.status.isRunning {
      guard let next = model.upcoming.first, let date = next.state.nextCheckAt else {
        return "No refresh is planned."
      }
      let moment = date <= context.now ? "now" : context.dates.moment(date)
      let why = NextCheckWording.reasons(next.state.nextCheckReasons).map { ": \($0)" } ?? ""
      return "Next \(moment) \(next.name)\(why)"
    }
    let status = model.status
    let running = telemetry.operations.count { $0.isRunning }
    let width = SyncWording.connections(
      status.limit, running: running, status.quality, telemetry.reason)
    return [width, SyncWording.waiting(telemetry.waiting)].compactMap { $0 }.joined(separator: "; ")
  }

  // MARK: The network over time

  private struct Graph {
    var label: String
    var value: String
    var note: String
    var values: (Int) -> [Double?]
    var least: Double
    var role: Role = .accent
  }

  private var graphs: [Graph] {
    let samples = model.telemetry.samples
    let last = samples.last
    let status = model.status
    let peak = samples.map(\.rate).max() ?? 0
    let queueing = last?.queueing ?? 0
    let (inFlight, ceiling) = (status.isRunning ? last?.inFlight ?? 0 : 0, model.telemetry.ceiling)
    return [
      Graph(
        label: "bandwidth", value: AmountWording.rate(status.isRunning ? last?.rate ?? 0 : 0),
        note: peak > 0 ? "peak \(AmountWording.rate(peak))" : "",
        values: { Sparkline.seconds(samples, columns: $0) { $0.rate } }, least: 1_000),
      Graph(
        label: "latency", value: last?.latency.map(SyncWording.latency) ?? "–",
        note: queueing >= 0.001 ? "\(SyncWording.latency(queueing)) in the queue" : "",
        values: { Sparkline.seconds(samples, columns: $0) { $0.latency } }, least: 0.02,
        role: .star),
      Graph(
        label: "limit", value: last.map { "\($0.limit)" } ?? "–",
        note: last == nil ? "" : "\(inFlight) in use, at most \(ceiling)",
        values: { Sparkline.seconds(samples, columns: $0) { Double($0.limit) } }, least: 4,
        role: .code),
    ]
  }

  /// Returns the number of lines used, including the blank line above.
  private func drawGraphs(on canvas: Canvas, y: Int) -> Int {
    let graphs = graphs
    if canvas.width >= 96, canvas.height >= 20 {
      let rows = canvas.height >= 40 ? 6 : canvas.height >= 30 ? 4 : 3
      let width = (canvas.width - 2 * Self.margin - 4) / 3
      for (index, graph) in graphs.enumerated() {
        let x = Self.margin + index * (width + 2)
        let used = canvas.write(graph.label, x: x, y: y + 1, .secondary)
        let value = canvas.write(graph.value, x: x + used + 1, y: y + 1, .title)
        let room = width - used - value - 3
        canvas.write(
          graph.note, x: x + used + value + 3, y: y + 1, columns: max(0, room), align: .right,
          .secondary)
        Sparkline(graph.values(width), minimum: graph.least).draw(
          on: canvas, x: x, y: y + 2, columns: width, rows: rows, role: graph.role)
      }
      return rows + 2
    }
    let isTall = canvas.height >= 12
    for (line, graph) in graphs.prefix(isTall ? 3 : canvas.height >= 7 ? 1 : 0).enumerated() {
      let y = y + line + (isTall ? 1 : 0)
      canvas.write(graph.label, x: Self.margin, y: y, .secondary)
      canvas.write(graph.value, x: Self.margin + 10, y: y, columns: 9, align: .right, .text)
      let x = Self.margin + 21
      let columns = min(ConsoleModel.seconds, canvas.width - x - Self.margin)
      Sparkline(graph.values(columns), minimum: graph.least).draw(
        on: canvas, x: x, y: y, columns: columns, role: graph.role)
    }
    return isTall ? 4 : canvas.height >= 7 ? 1 : 0
  }

  // MARK: The lists

  private func drawList(
    _ section: ConsoleModel.Section, tabs: [ConsoleModel.Section], on canvas: Canvas,
    origin: (x: Int, y: Int)
  ) {
    guard canvas.height > 0 else { return }
    let hasFocus = section == model.section
    drawTabs(tabs, current: section, hasFocus: hasFocus, on: canvas, origin: origin)
    let hasRule = canvas.height >= Self.ruledFrom
    if hasRule { canvas.rule(y: 1, role: hasFocus ? .accent : .rule) }
    let first = hasRule ? 2 : 1
    let part = canvas.part(
      Rect(x: 0, y: first, width: canvas.width, height: max(0, canvas.height - first)))
    guard var list = model.lists[section] else { return }
    list.window = Rect(x: origin.x, y: origin.y + first, width: part.width, height: part.height)
    if list.rows.isEmpty {
      part.write(emptyText(section), x: 2, y: 0, columns: part.width - 3, .secondary)
    }
    let columns = ConsoleColumns(section, isUpcoming: !model.upcoming.isEmpty, width: part.width)
    list.draw(on: part, isMarked: hasFocus) { row, y in
      columns.draw(cells(row, in: section), on: part, y: y)
    }
    model.lists[section] = list
    drawnLists.append(section)
  }

  private func drawTabs(
    _ tabs: [ConsoleModel.Section], current: ConsoleModel.Section, hasFocus: Bool,
    on canvas: Canvas, origin: (x: Int, y: Int)
  ) {
    var x = Self.margin
    let isNarrow = canvas.width < 60
    for tab in tabs {
      let label = label(tab, isNarrow: isNarrow)
      let count = label.count.isEmpty ? 0 : 1 + label.count.utf8.count
      let width = GraphemeWidth.width(of: label.name) + count
      let isCurrent = tab == current
      let used = canvas.write(
        label.name, x: x, y: 0, isCurrent ? hasFocus ? .heading : .title : .secondary)
      canvas.write(
        label.count, x: x + used + 1, y: 0,
        isCurrent ? .accent : tab == .failed && !model.failed.isEmpty ? .error : .secondary)
      drawnTabs.append((tab, Rect(x: origin.x + x, y: origin.y, width: width, height: 1)))
      x += width + (isNarrow ? 2 : 4)
    }
  }

  private func label(
    _ section: ConsoleModel.Section, isNarrow: Bool
  ) -> (name: String, count: String) {
    func count(_ number: Int) -> String { AmountWording.grouped(number) }
    switch section {
    case .running: return (isNarrow ? "Run" : "Running", count(model.running.count))
    case .waiting where !model.upcoming.isEmpty: return ("Next", "")
    case .waiting: return (isNarrow ? "Wait" : "Waiting", count(model.waitingCount))
    case .failed: return (isNarrow ? "Fail" : "Failed", count(model.failed.count))
    case .hosts: return ("Servers", count(model.hosts.count))
    }
  }

  private func emptyText(_ section: ConsoleModel.Section) -> String {
    switch section {
    case .running: return model.isPaused ? "Paused." : "Nothing is running."
    case .waiting: return "Nothing is waiting, and no refresh is planned."
    case .failed: return "No problems."
    case .hosts: return "No server has been contacted yet."
    }
  }

  private func cells(
    _ row: ConsoleModel.Row, in section: ConsoleModel.Section
  ) -> [ConsoleColumns.Cell] {
    switch row {
    case .operation(let operation): cells(operation)
    case .feed(let feed): section == .failed ? failed(feed) : upcoming(feed)
    case .host(let host): cells(host)
    }
  }

  private func cells(_ operation: OperationStatus) -> [ConsoleColumns.Cell] {
    let seconds = SyncWording.time(context.now.timeIntervalSince(operation.since))
    let tries = operation.attempt > 1 ? "try \(operation.attempt)" : ""
    let isWaiting = !operation.isRunning
    return [
      (operation.title, .text), (SyncWording.host(operation.host), .secondary),
      (SyncWording.state(operation.state), isWaiting ? .secondary : .accent),
      (operation.bytes > 0 ? AmountWording.bytes(Double(operation.bytes)) : "", .text),
      (seconds, .secondary),
      (
        SyncWording.urgency(operation.priority),
        operation.priority < .scheduled ? .star : .secondary
      ),
      (tries, .warning),
    ]
  }

  private func upcoming(_ feed: Feed) -> [ConsoleColumns.Cell] {
    let date = feed.state.nextCheckAt ?? context.now
    return [
      (feed.name, .text),
      (date <= context.now ? "now" : context.dates.moment(date), .accent),
      (NextCheckWording.reasons(feed.state.nextCheckReasons) ?? "", .secondary),
    ]
  }

  private func failed(_ feed: Feed) -> [ConsoleColumns.Cell] {
    let sentence = FailureWording(dates: context.dates).sentence(for: feed) ?? ""
    let age = feed.state.checkedAt.map { context.dates.age($0) } ?? ""
    return [(feed.name, .text), (sentence, .secondary), (age, .secondary)]
  }

  private func cells(_ host: HostTelemetry) -> [ConsoleColumns.Cell] {
    var state: ConsoleColumns.Cell = ("", .warning)
    if model.pauses.contains(.host(host.host)) {
      state.text = "paused"
    } else if let until = host.pausedUntil {
      state.text = "until \(context.dates.moment(until))"
    } else if host.waiting > 0 {
      state = ("\(AmountWording.grouped(host.waiting)) waiting", .secondary)
    }
    let status = host.status.map(String.init) ?? ""
    return [
      (SyncWording.host(host.host), .text),
      (host.inFlight > 0 ? "\(host.inFlight) now" : "", .accent),
      (status, (host.status ?? 0) >= 400 ? .error : .secondary),
      (host.latency.map(SyncWording.latency) ?? "", .text), state,
      (SyncWording.limit(host), host.limit == 1 ? .warning : .secondary),
    ]
  }
}

/// The columns of one list at one width: some may be omitted, one or two share the remaining width.
struct ConsoleColumns {
  typealias Cell = (text: String, role: Role)

  private struct Column {
    var index: Int
    var x: Int
    var width: Int
    var alignment: TextAlignment
  }

  private let columns: [Column]

  init(_ section: ConsoleModel.Section, isUpcoming: Bool, width: Int) {
    /// A weight in the remaining width, or columns; the alignment; the least width of the list.
    typealias Plan = (weight: Int, columns: Int, alignment: TextAlignment, from: Int)
    let plans: [Plan] =
      switch section {
      case .running,
        .waiting where !isUpcoming || section == .running:
        [
          (3, 0, .left, 0), (2, 0, .left, 64), (0, 16, .left, 0),
          (0, 7, .right, section == .running ? 56 : 1_000), (0, 6, .right, 0),
          (0, 5, .left, 76), (0, 6, .left, section == .running ? 96 : 1_000),
        ]
      case .waiting: [(2, 0, .left, 0), (0, 15, .left, 0), (3, 0, .left, 60)]
      case .failed: [(1, 0, .left, 0), (3, 0, .left, 0), (0, 6, .right, 100)]
      case .hosts:
        [
          (1, 0, .left, 0), (0, 5, .right, 0), (0, 3, .right, 0), (0, 6, .right, 30),
          (0, 15, .left, 52), (0, 28, .left, 84),
        ]
      }
    let shown = plans.enumerated().filter { $0.element.from <= width }
    let gap = 2
    let fixed = shown.reduce(0) { $0 + $1.element.columns } + gap * (shown.count - 1)
    let left = max(0, width - 3 - fixed)
    let weights = max(1, shown.reduce(0) { $0 + $1.element.weight })
    var x = 2
    columns = shown.map { index, plan in
      let width = plan.weight > 0 ? left * plan.weight / weights : plan.columns
      defer { x += width + gap }
      return Column(index: index, x: x, width: width, alignment: plan.alignment)
    }
  }

  func draw(_ cells: [Cell], on canvas: Canvas, y: Int) {
    for column in columns where cells.indices.contains(column.index) {
      let cell = cells[column.index]
      canvas.write(
        cell.text, x: column.x, y: y, columns: column.width, align: column.alignment, cell.role)
    }
  }
}

extension Sparkline {
  /// Returns the mean of the samples in each second, up to the newest one.
  static func seconds(
    _ samples: [NetworkSample], columns: Int, _ value: (NetworkSample) -> Double?
  ) -> [Double?] {
    guard columns > 0, let last = samples.last else { return [] }
    let end = last.at.timeIntervalSince1970.rounded(.down)
    var sums = [(sum: Double, count: Double)](repeating: (0, 0), count: columns)
    for sample in samples {
      let age = end - sample.at.timeIntervalSince1970.rounded(.down)
      guard age >= 0, age < Double(columns), let value = value(sample) else { continue }
      let column = columns - 1 - Int(age)
      sums[column].sum += value
      sums[column].count += 1
    }
    return sums.map { $0.count > 0 ? $0.sum / $0.count : nil }
  }
}
