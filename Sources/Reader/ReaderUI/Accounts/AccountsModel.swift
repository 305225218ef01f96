/// The remote accounts with their pending changes and failures.
final class AccountsModel {
  private let store: ReaderCache
  private(set) var all: [Account] = []
  /// The shared folder with the number of changes that are in no file; `nil` if there is none.
  private(set) var folder: (row: FolderRow, waiting: Int)?
  private var devices: [SharedDevice] = []
  /// The newest entry of the journal when it was last looked at for `Losses`.
  var lastEntry: JournalEntry?
  private var unconfirmed: [(id: FeedID, url: String)] = []
  private(set) var failure: StoreError?

  /// The most listed changes of one account; further ones are only counted.
  private static let listed = 1_000

  init(store: ReaderCache) {
    self.store = store
    read()
  }

  var waiting: Int {
    all.reduce(folder?.waiting ?? 0) { $0 + $1.state.outbox.waiting }
  }
  var refused: Int { all.reduce(0) { $0 + $1.state.outbox.refused } }
  var failing: [Account] { all.filter { $0.state.failure != nil } }

  /// Reads again. Returns the accounts that have begun to fail, or fail for another reason, and the
  /// accounts whose servers do not support tags.
  func modelUpdated(_ change: StoreChange) -> (failing: [Account], withoutTags: [Account]) {
    guard change.contains(.accounts) else { return ([], []) }
    let before = Dictionary(all.map { ($0.id, $0.state) }, uniquingKeysWith: { first, _ in first })
    read()
    return (
      failing.filter { $0.state.failure?.kind != before[$0.id]?.failure?.kind },
      all.filter { $0.state.refusesTags && before[$0.id]?.refusesTags == false }
    )
  }

  private func read() {
    do throws(StoreError) {
      all = try store.accounts.all()
      let shared = store.sharedFolder
      let waiting = try shared.waiting()
      folder = try shared.folder().map { ($0, waiting) }
      devices = try shared.devices().filter { !$0.isForgotten }
      unconfirmed = try shared.feedsToConfirm()
      failure = nil
    } catch {
      failure = error
    }
  }

  nonisolated enum Row: Identifiable {
    case account(Account)
    case change(OutboxEntry)
    /// The number of changes of an account that are not listed.
    case more(AccountID, Int)
    case folder(FolderRow, waiting: Int)
    case device(SharedDevice)
    /// A feed of another device whose address the user has to confirm.
    case unconfirmed(FeedID, url: String)

    enum Identity: Hashable {
      case folder
      case device(String)
      case feed(FeedID)
      case account(AccountID)
      case change(Int64)
      case more(AccountID)
    }
    var id: Identity {
      switch self {
      case .account(let account): .account(account.id)
      case .change(let entry): .change(entry.id)
      case .more(let account, _): .more(account)
      case .folder: .folder
      case .device(let device): .device(device.key)
      case .unconfirmed(let feed, _): .feed(feed)
      }
    }
  }

  /// Returns each account with its changes: refused ones first, then failed, then waiting ones.
  func rows() -> [Row] {
    let shared = folder.map {
      [.folder($0.row, waiting: $0.waiting)] + devices.map(Row.device)
        + unconfirmed.map { Row.unconfirmed($0.id, url: $0.url) }
    }
    return accountRows() + (shared ?? [])
  }

  private func accountRows() -> [Row] {
    all.flatMap { account -> [Row] in
      var entries: [OutboxEntry] = []
      do throws(StoreError) {
        entries = try store.accounts.outbox(of: account.id, limit: Self.listed)
      } catch {
        failure = error
      }
      let counts = account.state.outbox
      let others = counts.waiting + counts.refused - entries.count
      let ordered = [OutboxEntry.State.refused, .failed, .pending].flatMap { state in
        entries.filter { $0.state == state }
      }
      return [.account(account)] + ordered.map(Row.change)
        + (others > 0 ? [.more(account.id, others)] : [])
    }
  }
}
