import FeedModel
import FeedStore
import Foundation
import ReaderServices
import TerminalViews
import Wording

/// Marks a part of the list read: counted first, and confirmed.
extension ArticlesScreen {
  var partBindings: [Binding] {
    unowned let screen = self
    return [
      Binding(.markAboveRead, unless: screen.whyNone) {
        guard let key = screen.model.selectedRow?.key else { return }
        screen.markPart(.above(key), none: "No unread articles above")
      },
      Binding(.markBelowRead, unless: screen.whyNone) {
        guard let key = screen.model.selectedRow?.key else { return }
        screen.markPart(.below(key), none: "No unread articles below")
      },
      Binding(.markOlderRead, choices: { ListAge.choices }, given: { screen.markOlder($0) }),
    ]
  }

  private var whyNone: String? { model.selectedRow == nil ? "Select an article first" : nil }

  func markOlder(_ text: String) {
    guard let age = ListAge.seconds(text) else {
      return context.note("Write an age such as 3d, 2w, 6m or 1y")
    }
    let date = context.dates.now.addingTimeInterval(-age)
    markPart(.olderThan(date), none: "No unread article is that old")
  }

  private func markPart(_ part: ListPart, none: String) {
    let (query, context) = (model.query, context)
    context.session.preparation = context.look { store throws(StoreError) in
      try store.articles.unread(query, part)
    } then: { [weak self] ids in
      guard !ids.isEmpty else { return context.note(none) }
      let amount = AmountWording.count(ids.count, "article", "articles")
      context.ask(whether: "Mark \(amount) read?") {
        if let self { self.model.keep(Set(ids).intersection(self.model.rows.map(\.id))) }
        context.write({ store throws(StoreError) in
          try await store.states.setRead(ids, true)
        }) { copies in
          context.note(
            MarkWording.marked((ids.count, copies), undo: context.keymap.label(.undo)))
        }
      }
    }
  }
}

/// Ages as people type them: "3d", "2w", "6m", "1y".
enum ListAge {
  private static let units: [Character: Double] = [
    "h": .hours(1), "d": .days(1), "w": .days(7), "m": .days(30), "y": .days(365),
  ]

  static let choices = ArgumentChoices(
    all: ["1d", "3d", "1w", "2w", "1m", "3m", "1y"],
    titles: [
      "1d": "a day", "3d": "three days", "1w": "a week", "2w": "two weeks", "1m": "a month",
      "3m": "three months", "1y": "a year",
    ])

  /// `nil` if the text is no age.
  static func seconds(_ text: String) -> Double? {
    let text = text.trimmingWhitespace.lowercased()
    guard let last = text.last, let unit = units[last], let number = Int(text.dropLast()),
      (1...100_000).contains(number)
    else { return nil }
    return Double(number) * unit
  }
}
