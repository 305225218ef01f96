import Foundation
import Wording

extension DateWording {
  static var current: DateWording { DateWording(now: Date(), timeZone: .current) }
}

extension FailureWording {
  static var now: FailureWording { FailureWording(dates: .current) }
}

extension Subscriptions {
  /// Feeds in the order of the tree: a folder's folders first, then its feeds.
  var feedsInTreeOrder: [Feed] {
    let known = Set(folders.map(\.id))
    func isKnown(_ id: FolderID) -> Bool { known.contains(id) }
    let children = Dictionary(grouping: folders) { $0.parent.flatMap { isKnown($0) ? $0 : nil } }
    let held = Dictionary(grouping: feeds) { $0.folder.flatMap { isKnown($0) ? $0 : nil } }
    var ordered: [Feed] = []
    var seen: Set<FolderID> = []
    func append(_ folder: FolderID?) {
      for child in children[folder] ?? [] where seen.insert(child.id).inserted { append(child.id) }
      ordered += held[folder] ?? []
    }
    append(nil)
    // Feeds of folders in a cycle are last.
    for folder in folders where seen.insert(folder.id).inserted { append(folder.id) }
    return ordered
  }
}
