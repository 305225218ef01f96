import Foundation

/// The identity of a row of the feeds, which persists through every change.
nonisolated enum FeedItem: Hashable, Sendable {
  case list(ListSource)
  case firstStep(FirstStep)

  var isSavedSearch: Bool {
    if case .list(.saved) = self { true } else { false }
  }
}

/// A suggestion at the first start.
nonisolated struct FirstStep: Hashable, Sendable {
  var command: Command
  /// The title, short enough for the narrowest pane.
  var title: String
  /// The file that Enter imports without asking; `nil` for other steps.
  var path: String?

  static let all = [
    FirstStep(command: .add, title: "Add or import feeds"),
    FirstStep(command: .accounts, title: "Sign in to an account"),
    FirstStep(command: .takeStarterSet, title: "Add a starter set"),
  ]
}

nonisolated extension FirstStep {
  init(_ offer: ImportOffer) {
    command = .add
    let isExported = offer.reader == "OPML"
    let name = isExported ? String(offer.path.split(separator: "/").last ?? "") : offer.reader
    title = "Import \(name): \(AmountWording.feeds(offer.feeds))"
    path = offer.path
  }
}

nonisolated enum FeedMark: Equatable, Sendable {
  /// Marks of feeds; for `waiting`, the host is in back-off. `refreshing` replaces any other while
  /// the row is drawn.
  case none, refreshing, failing, waiting, paused, moved, snoozed
  case list

  init(_ feed: Feed) {
    if feed.isPaused {
      self = .paused
    } else if feed.snoozedUntil != nil {
      self = .snoozed
    } else if let failure = feed.state.failure {
      self = failure.kind == .rateLimited ? .waiting : .failing
    } else if feed.state.movedTo != nil {
      self = .moved
    } else if feed.isList {
      self = .list
    } else {
      self = .none
    }
  }

  var symbol: String {
    switch self {
    case .none: return " "
    case .refreshing: return "⟳"
    case .failing: return "!"
    case .waiting: return "\u{2026}"
    case .paused: return "⏸"
    case .moved: return "↷"
    case .list: return "≡"
    case .snoozed: return "z"
    }
  }
}

nonisolated struct FeedRow: Equatable, Sendable {
  var item: FeedItem
  var name: String
  /// Depth in the tree; 0 is at the left.
  var depth: Int
  /// The number of unread articles; `nil` if the row has no count.
  var unread: Int?
  /// Words of all articles of the row; 0 if it has no sum.
  var words = 0
  /// True if there may be more unread articles than `unread`.
  var isLeast = false
  var mark: FeedMark = .none
  /// True if the folder is open; `nil` if the row is no folder.
  var isExpanded: Bool?
  /// True if none of the row's unread articles is shown in Unread.
  var isQuiet = false
  /// The remote account whose folder this is.
  var account: AccountID?
  /// True if a blank line precedes the row.
  var beginsGroup = false
}

/// The subscriptions as rows: smart feeds first, then folders and feeds as a tree.
nonisolated struct FeedTree {
  struct Arrangement: Equatable {
    var order = FeedOrder.own
    /// True if a folder's feeds precede the folders in it.
    var foldersLast = false
    /// Dates of each feed's newest article, read only for orders that need them.
    var latest: [FeedID: Date] = [:]
    /// True to show only feeds with unread articles, and the items in `keeping`.
    var unreadOnly = false
    var keeping: Set<FeedItem> = []
    /// Folders that are open temporarily so that a row in them is shown.
    var revealed: Set<FolderID> = []
    /// Text that names must contain, without regard to case; the folders of matches are open.
    var text = ""
    var searchCounts: [SavedSearchID: SearchCount] = [:]
    var isFirstStart = false
    /// Folders that are shown alone, with those within them; `nil` for all.
    var focus: [FolderID]?
    var offers: [ImportOffer] = []

    func matches(_ name: String) -> Bool {
      text.isEmpty || name.localizedCaseInsensitiveContains(text)
    }
  }

  private var children: [FolderID?: [Folder]]
  private var feeds: [FolderID?: [Feed]]
  private var view: Arrangement
  private(set) var rows: [FeedRow] = []
  private let subscriptions: Subscriptions

  /// The deepest level shown, so that a tree of a thousand levels is readable and finite.
  private static let maximumDepth = 32

  /// Returns all feeds from top to bottom, including those of closed folders.
  static func order(_ subscriptions: Subscriptions, view: Arrangement) -> [FeedID] {
    let tree = FeedTree(sorting: subscriptions, view: view)
    var ids: [FeedID] = []
    tree.append(in: nil, depth: 0, to: &ids)
    return ids
  }

  private func append(in folder: FolderID?, depth: Int, to ids: inout [FeedID]) {
    if view.foldersLast { ids += (feeds[folder] ?? []).map(\.id) }
    for child in children[folder] ?? [] where depth < Self.maximumDepth {
      append(in: child.id, depth: depth + 1, to: &ids)
    }
    if !view.foldersLast { ids += (feeds[folder] ?? []).map(\.id) }
  }

  private init(sorting subscriptions: Subscriptions, view: Arrangement) {
    let known = Set(subscriptions.folders.map(\.id))
    let inside = view.focus.map(subscriptions.folders(within:))
    let visible = inside.map(subscriptions.withEnclosing)
    children = Dictionary(
      grouping: subscriptions.folders.filter { visible?.contains($0.id) ?? true }
    ) { folder in
      folder.parent.flatMap { known.contains($0) && $0 != folder.id ? $0 : nil }
    }
    feeds = Dictionary(
      grouping: subscriptions.feeds.filter { feed in
        inside.map { feed.folder.map($0.contains) ?? false } ?? true
      }
    ) { feed in
      feed.folder.flatMap { known.contains($0) ? $0 : nil }
    }
    self.view = view
    self.subscriptions = subscriptions
    sort()
  }

  init(_ subscriptions: Subscriptions, view: Arrangement) {
    self.init(sorting: subscriptions, view: view)
    for smart in SmartFeed.allCases {
      let name = Self.name(smart)
      let count = subscriptions.smartCounts[smart]
      guard matches(name), count != nil || !smart.isShownOnlyIfUsed else { continue }
      rows.append(
        FeedRow(
          item: .list(.smart(smart)), name: name, depth: 0, unread: count ?? 0,
          words: smart == .later ? subscriptions.laterWords : 0))
    }
    for tag in subscriptions.tags where matches(tag.name) {
      rows.append(
        FeedRow(
          item: .list(.tag(tag.name)), name: "#\(tag.name)", depth: 0, unread: tag.counts.unread))
    }
    for search in subscriptions.searches where matches(search.name) {
      rows.append(
        FeedRow(
          item: .list(.saved(search.id)), name: search.name, depth: 0,
          unread: view.searchCounts[search.id]?.articles,
          isLeast: view.searchCounts[search.id]?.isExact == false))
    }
    var begin = rows.count
    append(folder: nil, depth: 0, forced: false)
    if rows.count > begin { rows[begin].beginsGroup = begin > 0 }
    guard view.isFirstStart, view.text.isEmpty else { return }
    begin = rows.count
    for step in view.offers.map(FirstStep.init) + FirstStep.all {
      rows.append(FeedRow(item: .firstStep(step), name: step.title, depth: 0))
    }
    rows[begin].beginsGroup = begin > 0
  }

  private mutating func sort() {
    func byName(_ a: String, _ b: String) -> Bool {
      a.localizedStandardCompare(b) == .orderedAscending
    }
    let latest = view.latest
    switch view.order {
    case .own: break
    case .name:
      for key in children.keys { children[key]?.sort { byName($0.title, $1.title) } }
      for key in feeds.keys { feeds[key]?.sort { byName($0.name, $1.name) } }
    case .unread:
      for key in feeds.keys { feeds[key]?.sort { $0.counts.unread > $1.counts.unread } }
    case .latest:
      for key in feeds.keys {
        feeds[key]?.sort {
          latest[$0.id] ?? .distantPast > latest[$1.id] ?? .distantPast
        }
      }
    }
  }

  static func name(_ smart: SmartFeed) -> String {
    switch smart {
    case .high: return "High priority"
    case .today: return "Today"
    case .unread: return "Unread"
    case .starred: return "Starred"
    case .later: return "Later"
    case .archived: return "Kept"
    }
  }

  private func matches(_ name: String) -> Bool { view.matches(name) }

  /// Appends the content of a folder.
  /// - Parameters:
  ///   - forced: True if the folder's name matched, so that its whole content is shown.
  ///   - priority: The priority of feeds and folders that have none of their own.
  /// - Returns: The number of unread articles, and how many of them are of quiet feeds.
  @discardableResult
  private mutating func append(
    folder: FolderID?, depth: Int, forced: Bool, priority: FeedPriority = .normal
  ) -> (unread: Int, quiet: Int) {
    var (unread, quiet) = (0, 0)
    if view.foldersLast {
      (unread, quiet) = append(feedsOf: folder, depth: depth, forced: forced, priority: priority)
    }
    for child in children[folder] ?? [] where depth < Self.maximumDepth {
      let place = rows.count
      let isMatch = forced || (!view.text.isEmpty && matches(child.title))
      let item = FeedItem.list(.folder(child.id))
      let isOpen = child.isExpanded || !view.text.isEmpty || view.revealed.contains(child.id)
      rows.append(
        FeedRow(
          item: item, name: child.title, depth: depth, isExpanded: isOpen, account: child.account,
          beginsGroup: child.account != nil))
      let inside = append(
        folder: child.id, depth: depth + 1, forced: isMatch,
        priority: child.priority == .normal ? priority : child.priority)
      (rows[place].unread, rows[place].isQuiet) = (inside.unread, inside.unread == inside.quiet)
      if rows[(place + 1)...].contains(where: { $0.mark == .failing }) {
        rows[place].mark = .failing
      }
      unread += inside.unread
      quiet += inside.quiet
      let isHidden =
        view.text.isEmpty
        ? view.unreadOnly && inside.unread == 0 && !view.keeping.contains(item)
          && !rows[(place + 1)...].contains { view.keeping.contains($0.item) }
        : !isMatch && rows.count == place + 1
      if isHidden {
        rows.removeSubrange(place...)
      } else if !isOpen {
        rows.removeSubrange((place + 1)...)
      }
    }
    guard !view.foldersLast else { return (unread, quiet) }
    let firstFeed = rows.count
    let own = append(feedsOf: folder, depth: depth, forced: forced, priority: priority)
    // Without a blank line, feeds without a folder would seem to belong to the last folder.
    if folder == nil, firstFeed > 0, rows.count > firstFeed { rows[firstFeed].beginsGroup = true }
    return (unread + own.unread, quiet + own.quiet)
  }

  private mutating func append(
    feedsOf folder: FolderID?, depth: Int, forced: Bool, priority: FeedPriority
  ) -> (unread: Int, quiet: Int) {
    var (unread, quiet) = (0, 0)
    for feed in feeds[folder] ?? [] {
      let isQuiet = (feed.priority == .normal ? priority : feed.priority) == .quiet
      let listed = feed.snoozedUntil == nil ? feed.counts.unread : 0
      unread += listed
      quiet += isQuiet ? listed : 0
      let item = FeedItem.list(.feed(feed.id))
      if view.text.isEmpty {
        if view.unreadOnly, listed == 0, !view.keeping.contains(item) { continue }
      } else if !forced, !matches(feed.name) {
        continue
      }
      rows.append(
        FeedRow(
          item: item, name: subscriptions.name(of: feed.id, feed.name), depth: depth,
          unread: listed, mark: FeedMark(feed), isQuiet: isQuiet))
    }
    return (unread, quiet)
  }
}
