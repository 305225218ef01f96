import Foundation
import TerminalViews

/// The form for preparing articles for offline reading (amount, time, source), with the progress of
/// the last pack.
final class PackScreen: WorkingSheet {
  nonisolated enum Field { case hours, budget, by, query, articles, discussions, audio, network }

  let context: ReaderContext
  var form: Form<Field>
  private var pack: Pack?
  var work: TimerToken?

  init(context: ReaderContext) {
    self.context = context
    form = Form(
      [
        .text(.hours, "Hours to read", "3"), .text(.budget, "At most", "100M"),
        .text(.by, "Ready by", placeholder: "some time"),
        .text(.query, "Search", placeholder: "for later, then unread"),
        .choice(.articles, "Articles", ["of the search", "of today\u{2019}s page"]),
        .choice(.discussions, "Discussions", ["no", "yes"]),
        .choice(.audio, "Sound", ["no", "yes"]),
        .choice(.network, "Network", ["as measured"] + PackNetwork.allCases.map(\.rawValue)),
      ], current: .hours)
    read()
  }

  var title: String { "Pack for reading offline" }
  var readsFeeds: Bool { false }
  var hints: [Hint] {
    let enter = Hint(key: "Enter", form.current == .network ? "begin" : "next")
    let change = form.isChoice ? [Hint(key: "Space", "change")] : []
    return [enter] + change + [Hint(key: "Tab", "next"), Hint(key: "Esc", "leave")]
  }

  func modelUpdated(_ change: StoreChange) {
    guard change.contains(.requests) else { return }
    read()
    context.invalidate()
  }

  private func read() {
    let packs = context.read(try context.store.packs.recent(limit: 1))
    if let packs { pack = packs.first }
  }

  func submit() { if form.current == .network { begin() } else { form.step(1) } }

  private func begin() {
    let network = form.choice(.network)
    let request = PackRequest(
      hours: trimmed(.hours), budget: trimmed(.budget), by: trimmed(.by), query: trimmed(.query),
      takesDailyPage: form.choice(.articles) == 1, discussions: form.choice(.discussions) == 1,
      audio: form.choice(.audio) == 1,
      network: network > 0 ? PackNetwork.allCases[network - 1] : nil)
    run { [actions = context.actions] () throws(ActionFailure) in
      try await actions.startPack(request)
    }
  }

  func closed() { work = nil }

  func draw(on canvas: Canvas, isFocused: Bool) {
    let (below, error) = form.draw(on: Canvas.column(in: canvas), isActive: work == nil)
    let role: Role = error == nil ? .secondary : .error
    var y = error.map { below.write(paragraph: $0, role) } ?? 0
    if let pack {
      let words = PackWording(dates: context.dates).result(pack)
      y += below.write(paragraph: "The last pack: \(words)", y: y, role)
    }
    if error == nil { below.write(paragraph: Self.help, y: y > 0 ? y + 1 : 0, role) }
  }

  private static let help =
    "Texts come first, then pictures, until there is enough to read or the limit is reached; then "
    + "discussions and sound. With a time, what does not fit is left out. Articles are kept until "
    + "read, for 14 days at most."
}
