import TerminalViews

/// Messages about refreshes and accounts in the status line.
struct RefreshMessages {
  let context: ReaderContext
  let accounts: AccountsModel

  /// Reports the end of a refresh that the user requested.
  func announce(_ request: RefreshRequest) {
    let unrefreshed =
      request.failed > 0
      ? context.read(try context.store.requests.failedFeeds(of: request)) ?? [] : []
    let pauses = HostPause.all(unrefreshed)
    let waiting = pauses.reduce(0) { $0 + $1.feeds.count }
    let failed = unrefreshed.filter { $0.state.failure?.kind != .rateLimited }
    let count = request.failed - waiting
    if count == 1, failed.count == 1,
      let sentence = FailureWording(dates: context.dates).sentence(for: failed[0])
    {
      return context.show(
        .failure(
          sentence, retry: request.scope, details: .problems, about: .feeds([failed[0].id])))
    }
    if count > 0 {
      let feeds = StoreWording.failed(count, of: request.total)
      return context.show(
        .failure(
          "\(feeds) couldn\u{2019}t be refreshed:", retry: request.scope, details: .problems,
          about: .feeds(failed.prefix(Self.mostWatched).map(\.id))))
    }
    let sentences = [StoreWording.result(request), HostPause.sentence(pauses, context.dates)]
    context.messages.show(result: sentences.compactMap(\.self).joined(separator: "; "))
    context.invalidate()
  }

  /// The most failed feeds whose recovery is observed.
  private static let mostWatched = 100

  /// Removes a failure message that no longer applies: its feeds recovered or were removed, or its
  /// account was synced.
  func clearFailure(_ change: StoreChange) {
    context.clearFailure { topic in
      switch topic {
      case .feeds(let ids):
        return !change.isDisjoint(with: [.fetches, .subscriptions]) && !isAnyFailing(ids)
      case .account(let id): return !accounts.failing.contains { $0.id == id }
      case .action, .configuration: return false
      }
    }
  }

  private func isAnyFailing(_ ids: [FeedID]) -> Bool {
    do throws(StoreError) {
      for id in ids {
        if try context.store.feeds.feed(id)?.state.failure != nil { return true }
      }
      return false
    } catch {
      return true
    }
  }
}
