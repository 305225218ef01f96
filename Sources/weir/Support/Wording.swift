import FeedModel
import FeedStore
import Foundation
import ReaderUI

extension FailureWording {
  /// As somebody reads it now and here.
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
}
