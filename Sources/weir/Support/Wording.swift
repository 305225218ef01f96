import FeedModel
import FeedStore
import Foundation
import ReaderUI
import Wording

extension FailureWording {
  /// As it is read at this time and place.
  static var now: FailureWording {
    FailureWording(dates: DateWording(now: Date(), timeZone: .current))
  }
}

extension Subscriptions {
  /// The titles of the folders around a feed, outermost first.
  func path(of folder: FolderID?) -> [String] {
    var path: [String] = []
    var next = folder
    // Folders cannot hold each other; a damaged table must not hang the program all the same.
    while let id = next, path.count < 64, let folder = folders.first(where: { $0.id == id }) {
      path.insert(folder.title, at: 0)
      next = folder.parent
    }
    return path
  }

  /// The feeds as the tree shows them from top to bottom: in each folder first what its folders
  /// hold, then its own feeds.
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
    // A damaged table may hold folders that are in each other: their feeds come last.
    for folder in folders where seen.insert(folder.id).inserted { append(folder.id) }
    return ordered
  }
}
