import FeedStore

@testable import weir

@Suite("The order of listed feeds") struct FeedOrderTests {
  private func feed(_ id: Int64, in folder: Int64? = nil) -> Feed {
    var feed = Feed(id: FeedID(rawValue: id), url: "https://example.org/\(id)")
    feed.folder = folder.map { FolderID(rawValue: $0) }
    return feed
  }

  private func folder(_ id: Int64, in parent: Int64? = nil) -> Folder {
    Folder(
      id: FolderID(rawValue: id), parent: parent.map { FolderID(rawValue: $0) },
      title: "Folder \(id)")
  }

  @Test("Feeds are listed folder by folder, as the tree shows them") func treeOrder() {
    let all = Subscriptions(
      folders: [folder(2), folder(1), folder(3, in: 1)],
      feeds: [feed(1), feed(2, in: 1), feed(3, in: 2), feed(4, in: 3), feed(5, in: 2)])
    #expect(all.feedsInTreeOrder.map(\.id.rawValue) == [3, 5, 4, 2, 1])
  }

  @Test("Feeds in missing or circular folders are listed too, each once") func damagedTree() {
    let all = Subscriptions(
      folders: [folder(1, in: 2), folder(2, in: 1)],
      feeds: [feed(1, in: 1), feed(2, in: 2), feed(3, in: 9)])
    #expect(all.feedsInTreeOrder.map(\.id.rawValue).sorted() == [1, 2, 3])
  }
}
