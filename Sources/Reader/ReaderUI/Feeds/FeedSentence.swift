import FeedModel
import ReaderServices
import Wording

extension FeedRow {
  /// Returns the row as a sentence: "3 of 40, level 2, failing, LWN, 12 unread".
  /// - Parameter minutes: the time to read the articles kept for later; 0 for other rows.
  func sentence(_ index: Int, of count: Int, minutes: Int) -> String {
    let isLater = item == .list(.smart(.later))
    let unread = unread.map {
      isLater
        ? AmountWording.count($0, "article", "articles") : "\(AmountWording.grouped($0)) unread"
    }
    let parts = [
      "\(index + 1) of \(count)", depth > 0 ? "level \(depth + 1)" : nil,
      isExpanded.map { $0 ? "open folder" : "closed folder" }, isApart ? "kept apart" : nil,
      mark.word, name, unread, ReadingWording.spokenMinutes(minutes),
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }
}

extension FeedMark {
  /// The mark in words; `nil` if there is none.
  fileprivate var word: String? {
    switch self {
    case .none: nil
    case .refreshing: "refreshing"
    case .failing: "failing"
    case .waiting: "waiting"
    case .paused: "paused"
    case .moved: "moved"
    case .list: "followed list"
    case .asleep: "asleep"
    }
  }
}
