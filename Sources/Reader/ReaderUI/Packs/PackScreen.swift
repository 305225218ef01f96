import TerminalViews

/// The form for preparing articles for offline reading, with the progress of the last pack.
final class PackScreen: WorkingSheet {
  nonisolated enum Field { case budget, query, audio }

  let context: ReaderContext
  var form = Form<Field>(
    [
      .text(.budget, "At most", "100M"),
      .text(.query, "Search", placeholder: "for later, then unread"),
      .choice(.audio, "Sound", ["no", "yes"]),
    ], current: .budget)
  private var pack: Pack?
  var work: TimerToken?

  init(context: ReaderContext) {
    self.context = context
    read()
  }

  var title: String { "Pack for reading offline" }
  var hints: [Hint] { fieldHints(enter: form.current == .audio ? "begin" : "next") }

  func modelUpdated(_ change: StoreChange) {
    guard change.contains(.requests) else { return }
    read()
    context.invalidate()
  }

  private func read() { if let last = context.read(try context.store.packs.last()) { pack = last } }

  func submit() {
    guard form.current == .audio else { return form.step(1) }
    let request = PackRequest(
      budget: trimmed(.budget), query: trimmed(.query), audio: form.choice(.audio) == 1)
    run { [actions = context.actions] () throws(ActionFailure) in
      try await actions.startPack(request)
    }
  }

  func draw(on canvas: Canvas, isFocused: Bool) {
    let (below, error) = form.draw(on: Canvas.column(in: canvas), isActive: work == nil)
    let role: Role = error == nil ? .secondary : .error
    var y = error.map { below.write(paragraph: $0, role) } ?? 0
    if let pack {
      y += below.write(paragraph: "The last pack: \(PackWording.result(pack))", y: y, role)
    }
    guard error == nil else { return }
    below.write(
      paragraph: "Texts come first, then pictures, then sound. What does not fit is left out. "
        + "Articles are kept until read, for 14 days at most.", y: y > 0 ? y + 1 : 0, role)
  }
}
