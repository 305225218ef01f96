import FeedStore
import RemoteAccounts

extension RemoteBackend {
  /// Fetches all pages of a list. A repeated continuation means that the list has no end.
  func names(of list: RemoteList) async throws(AccountError) -> RemoteNames {
    // A longer list counts as endless.
    let mostNames = 500_000
    var names: [String] = []
    var continuations: Set<String> = []
    var next: String?
    repeat {
      let page = try await ids(list, after: next)
      names += page.ids
      next = page.continuation
      if page.isCircular || page.ids.isEmpty && next != nil
        || next.map({ !continuations.insert($0).inserted }) ?? false
        || names.count > mostNames
      {
        return RemoteNames(names, isComplete: false)
      }
    } while next != nil
    return RemoteNames(names, isComplete: true)
  }
}
