import TerminalViews

/// An article of a list as a sentence, such as "3 of 40, unread, starred, LWN: Kernel 6.20,
/// 7 minutes, 2 hours ago".
package enum ArticleSentence {
  /// - Parameter position: "3 of 40"; `nil` if unknown.
  package static func text(
    _ row: ArticleRow, position: String? = nil, isSelected: Bool = false, showsFeed: Bool = true,
    _ context: ReaderContext
  ) -> String {
    let plan = context.store.plan
    let parts = [
      position, isSelected ? "selected" : nil, row.isHiddenByRule ? "hidden" : nil,
      row.snoozedUntil.map { "asleep until \(context.dates.moment($0))" },
      row.status.isRead ? "read" : "unread", row.status.isStarred ? "starred" : nil,
      row.status.isLater ? "later" : nil,
      showsFeed ? "\(context.feedName(of: row)): \(row.title)" : row.title,
      ReadingWording.spokenMinutes(
        plan.minutes(ofWords: row.words), left: plan.left(ofWords: row.words, seen: row.seen)),
      context.dates.ago(row.sortDate),
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }

  /// Returns the selected article of a list, or the reason why the list is empty.
  static func lines(of screen: ArticlesScreen) -> [String] {
    let (model, context) = (screen.model, screen.context)
    guard let row = model.selectedRow else {
      return screen.loading == nil ? EmptyListText(screen: screen).lines : []
    }
    // A window in the middle of a long list does not know the number of rows above it.
    let total =
      model.query.hits?.count ?? context.read(try context.store.articles.count(model.query))
    let position = total.flatMap { total in
      model.reachesTop && model.selected < total
        ? "\(model.selected + 1) of \(AmountWording.grouped(total))" : nil
    }
    let isSelected = model.several != nil && model.selectedRows.contains(model.selected)
    return [
      text(
        row, position: position, isSelected: isSelected, showsFeed: screen.source.isMixed, context)
    ]
  }
}

extension ArticlesScreen {
  package var spoken: [String]? { ArticleSentence.lines(of: self) }
}
