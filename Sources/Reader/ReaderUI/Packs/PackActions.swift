import TerminalViews

/// Starts packs for offline reading.
enum PackActions {
  static let sizes = ArgumentChoices(all: ["50M", "100M", "200M", "500M", "2G"], current: "100M")

  /// - Parameter text: a size; then, to choose articles, a search. The word "audio" adds sound.
  static func start(_ text: String, _ context: ReaderContext) {
    var words = text.split(separator: " ").map(String.init)
    guard !words.isEmpty else { return }
    var request = PackRequest(budget: words.removeFirst())
    request.audio = words.contains("audio")
    request.query = words.filter { $0 != "audio" }.joined(separator: " ")
    context.session.exporting = context.runInBackground { [request] in
      await context.showResult(of: .pack) { () throws(ActionFailure) in
        try await context.actions.startPack(request)
      }
    }
  }
}
