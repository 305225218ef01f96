import ProgramSettings

extension ReaderRun {
  func startPack(_ request: PackRequest) async throws(ActionFailure) -> String {
    let store = session.store
    return try await wordingErrors(otherwise: "The pack can\u{2019}t be begun") {
      let budget = try PackArguments.size(request.budget)
      let pack = try await Task.detached {
        try await PackSelection.begin(request.query, budget: budget, audio: request.audio, store)
      }.value
      return PackWording.plan(pack)
    }
  }
}
