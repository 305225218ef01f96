import TerminalViews

/// The suggestions of the first start, among them the lists of other readers.
struct FirstSteps {
  let context: ReaderContext
  let model: FeedListModel

  /// Looks for lists of other readers in the background, and selects the first of them if the user
  /// has not moved the selection.
  func findLists() {
    let start = model.selectedItem
    context.session.preparation = context.runInBackground { [weak model, context] in
      let offers = await context.actions.foundLists()
      guard let model, !offers.isEmpty, model.view.isFirstStart else { return }
      model.setOffers(offers)
      if model.selectedItem == start { model.select(.firstStep(FirstStep(offers[0]))) }
      context.backgroundReadApplied()
    }
  }

  func carryOut(_ step: FirstStep) {
    guard let path = step.path else {
      context.links.events?.carryOut(step.command)
      if step.command == .accounts { context.links.events?.carryOut(.add) }
      return
    }
    // The suggestions disappear when the first feed arrives, so Unread is selected.
    model.select(.list(.smart(.unread)))
    context.session.importing = context.runInBackground { [context] in
      await context.showResult(of: .add) { () throws(ActionFailure) in
        try await context.actions.importSubscriptions(path: path)
      }
    }
  }
}
