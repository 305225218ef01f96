import Foundation
import TerminalViews

/// The form for adding a feed: an address, candidates, a folder. The engine searches the address;
/// the request and its answer are rows of the cache.
final class AddFeedScreen: FormSheet {
  enum State: Equatable {
    case editing
    /// A running search with the key of its request; `nil` while the request is being written.
    case searching(Int64?)
    case found(Int64, [FeedCandidate])
    case failed(Int64, RefreshFailure)
    case subscribing
  }

  private let context: ReaderContext
  private let feeds: FeedListModel
  private var field = TextField()
  private(set) var state = State.editing
  private var chosen = 0
  /// Addresses among the candidates that are subscribed to.
  private var known: Set<String> = []
  /// 0 for no folder, otherwise an index into `folders` plus 1.
  private var folder = 0
  private var complaint: String?
  /// Paths of folders as users write them. A new folder is created with the feed.
  private var folders: [String]

  /// - Parameter address: An address to search at once; `nil` to let the user type one.
  init(context: ReaderContext, feeds: FeedListModel, address: String? = nil) {
    self.context = context
    self.feeds = feeds
    let fixed = (context.read(try context.store.accounts.all()) ?? []).filter { $0.kind == .fever }
      .compactMap(\.folder).map { FolderPath.text(feeds.path($0)) }
    // The Fever API cannot subscribe.
    folders = feeds.folderPaths.filter { path in
      !fixed.contains { path == $0 || path.hasPrefix($0 + "/") }
    }
    // A new feed goes into the current folder.
    let current: FolderID? =
      switch feeds.selectedSource {
      case .folder(let id): id
      case .feed(let id): feeds.feed(id)?.folder
      default: nil
      }
    let path = FolderPath.text(feeds.path(current))
    folder = folders.firstIndex(of: path).map { $0 + 1 } ?? 0
    guard let address else { return }
    field = TextField(address)
    search()
  }

  var title: String { "Add a feed" }

  // MARK: Keys

  func handle(_ key: Key) -> Bool {
    if key == .escape || key == .control("c") {
      goBack()
      return true
    }
    switch state {
    case .editing:
      switch key {
      case .enter: search()
      case .tab: complete()
      default: if field.handle(key) { complaint = nil }
      }
    case .searching, .subscribing: break
    case .found(_, let candidates): choose(key, candidates)
    case .failed:
      if key == .enter, mayBeAddress {
        subscribe(to: FeedCandidate(url: completedAddress))
      } else {
        edit(key)
      }
    }
    return true
  }

  /// Returns to the address, or closes the form.
  private func goBack() {
    forget()
    if state == .editing { context.window?.closeSheet() } else { state = .editing }
  }

  /// Completes a path by what all its completions have in common.
  private func complete() {
    let found = isPath ? context.actions.paths(like: address) : []
    guard let first = found.first else { return }
    field = TextField(found.dropFirst().reduce(first) { $0.commonPrefix(with: $1) })
  }

  private func edit(_ key: Key) {
    forget()
    state = .editing
    _ = field.handle(key)
  }

  private func choose(_ key: Key, _ candidates: [FeedCandidate]) {
    switch key {
    case .down, .character("j"): chosen = min(chosen + 1, candidates.count - 1)
    case .up, .character("k"): chosen = max(0, chosen - 1)
    case .right, .character("l"), .tab: folder = (folder + 1) % (folders.count + 1)
    case .left, .character("h"), .backTab:
      folder = (folder + folders.count) % (folders.count + 1)
    case .enter:
      guard candidates.indices.contains(chosen) else { return }
      subscribe(to: candidates[chosen])
    case .character("n"): askForFolder()
    case .backspace: goBack()
    default: break
    }
  }

  private func askForFolder() {
    context.ask(for: "New folder: ") { [weak self] text in
      let path = FolderPath.text(FolderPath.titles(text))
      guard let self, !path.isEmpty else { return }
      if !self.folders.contains(path) { self.folders.append(path) }
      self.folder = (self.folders.firstIndex(of: path) ?? -1) + 1
    }
  }

  // MARK: Work

  private var address: String { field.text.trimmingWhitespace }

  /// The address, completed like in the engine: https if it has no scheme.
  private var completedAddress: String {
    WebAddress(address).scheme == nil || !address.contains("://") ? "https://\(address)" : address
  }

  /// True if the text may be a web address, which can be added even if nothing was found there. A
  /// single word is a host name only with a scheme.
  private var mayBeAddress: Bool {
    let url = WebAddress(completedAddress)
    guard url.isHTTP, url.hasPlausibleHost, let host = url.host, !isOfOtherKind else {
      return false
    }
    let isQualified =
      host.contains { $0 == "." || $0 == ":" } || host == "localhost" || address.contains("://")
    return !address.contains { $0.isWhitespace } && isQualified
  }

  /// True for text such as "mailto:me@a.example", which is no user name with a host.
  private var isOfOtherKind: Bool {
    LocalSource.claims(address)
      || ["mailto", "tel", "data", "javascript"].contains(WebAddress(address).scheme)
  }

  private func search() {
    let url = address
    guard !url.isEmpty else {
      context.window?.closeSheet()
      return
    }
    if isPath { return importList(url) }
    state = .searching(nil)
    context.write(
      { store in try await store.requests.requestDiscovery(url: url) },
      then: { [weak self] id in
        guard let self, self.state == .searching(nil) else { return }
        self.state = .searching(id)
        self.readAnswer()
      },
      failed: { [weak self] in self?.failedToWrite($0) })
  }

  /// True for a text that can be the path of a file or folder, but no address.
  private var isPath: Bool { ["/", "~/", "./", "../"].contains { address.hasPrefix($0) } }

  /// Imports a list outside the queue of writes, since reading a file may take long, and marking an
  /// article must not wait for it. The path stays in the form if it fails.
  private func importList(_ path: String) {
    state = .subscribing
    context.session.importing = context.runInBackground { [weak self, context] in
      do throws(ActionFailure) {
        let result = try await context.actions.importSubscriptions(path: path)
        if self?.state == .subscribing { context.window?.closeSheet() }
        context.note(result)
      } catch {
        guard let self else { return context.show(.failure(error.sentence)) }
        (state, complaint) = (.editing, error.sentence)
        context.invalidate()
      }
    }
  }

  private func subscribe(to candidate: FeedCandidate) {
    let path = folder > 0 ? FolderPath.titles(folders[folder - 1]) : []
    let before = state
    state = .subscribing
    let context = context
    context.write(
      { store in
        let added = try await store.feeds.add(candidate, in: path)
        try await store.requests.requestRefresh(.feed(added.feed))
        return added
      },
      then: { [weak self] added in
        self?.forget(before)
        context.note(candidate.added(isRepaired: added.isRepaired))
        context.window?.reveal(.feed(added.feed))
      },
      failed: { [weak self] error in
        if case .alreadySubscribed(let id) = error {
          self?.forget(before)
          context.note(StoreWording.sentence(error))
          context.window?.reveal(.feed(id))
        } else {
          self?.failedToWrite(error)
        }
      })
  }

  private func failedToWrite(_ error: StoreError) {
    state = .editing
    complaint = StoreWording.sentence(error)
    context.invalidate()
  }

  /// Deletes the row of a request that has ended.
  private func forget(_ old: State? = nil) {
    let id: Int64
    switch old ?? state {
    case .searching(let key?): id = key
    case .found(let key, _), .failed(let key, _): id = key
    default: return
    }
    context.write { store in try await store.requests.endDiscovery(id) }
  }

  func modelUpdated(_ change: StoreChange) { readAnswer() }

  private func readAnswer() {
    guard case .searching(let id?) = state,
      let answer = context.read(try context.store.requests.discovery(id))
    else {
      return
    }
    switch answer.state {
    case .waiting: return
    case .found(let candidates) where candidates.isEmpty:
      state = .failed(id, RefreshFailure(kind: .notAFeed, since: context.now))
    case .found(let candidates):
      let subscribed = Set(feeds.subscriptions.feeds.map(\.url))
      known = subscribed.intersection(candidates.map(\.url))
      chosen = candidates.firstIndex { !known.contains($0.url) } ?? 0
      state = .found(id, candidates)
    case .failed(let failure): state = .failed(id, failure)
    }
    context.invalidate()
  }

  // MARK: Drawing

  var hints: [Hint] {
    switch state {
    case .editing: return [Hint(key: "Enter", "find its feeds"), Hint(key: "Esc", "leave")]
    case .searching: return [Hint(key: "Esc", "stop")]
    case .subscribing: return []
    case .failed:
      let add = mayBeAddress ? [Hint(key: "Enter", "add it unchecked")] : []
      return add + [Hint(key: "Esc", "back")]
    case .found(_, let candidates):
      let choose = candidates.count > 1 ? [Hint(key: "j k", "choose")] : []
      let folder = folders.isEmpty ? [] : [Hint(key: "h l", "folder")]
      return [Hint(key: "Enter", FoundFeeds.verb(candidates))] + choose + folder
        + [Hint(key: "n", "new folder"), Hint(key: "Esc", "back")]
    }
  }

  func draw(on canvas: Canvas, isFocused: Bool) {
    var text = Canvas.column(in: canvas)
    if text.height > 8 {
      text.write(
        "Address of a feed or web site, or the file or folder of another reader", x: 0, y: 0,
        .secondary)
      text = text.part(Rect(x: 0, y: 1, width: text.width, height: text.height - 1))
    }
    if state == .editing {
      field.draw(on: text, x: 0, y: 0)
    } else {
      text.write(address, x: 0, y: 0, columns: text.width, truncation: .middle, .title)
    }
    text.rule(y: 1)
    let rest = text.part(Rect(x: 0, y: 2, width: text.width, height: text.height - 2))
    switch state {
    case .editing:
      if let complaint { rest.write(paragraph: complaint, .error) }
    case .searching:
      rest.write(
        context.offlineUntil.map { "Offline; Weir looks \($0) …" } ?? "⟳ Looking for feeds …",
        x: 0, y: 0, columns: rest.width)
    case .subscribing: rest.write("Subscribing …", x: 0, y: 0)
    case .failed(_, let failure):
      let wording = FailureWording(dates: context.dates)
      let remedy = failure.kind == .unauthorized ? " " + FailureWording.credentialsAdvice : ""
      rest.write(
        paragraph: wording.happened(failure, at: completedAddress) + "." + remedy, .error)
    case .found(_, let candidates): drawFound(candidates, on: rest)
    }
  }

  private func drawFound(_ candidates: [FeedCandidate], on text: Canvas) {
    // The folder has one line, the preview the rest; a low window shows candidates first.
    var text = text
    if let heading = FoundFeeds.heading(candidates), text.height > 8 {
      let used = text.write(paragraph: heading, .secondary) + 1
      text = text.part(Rect(x: 0, y: used, width: text.width, height: text.height - used))
    }
    let space = min(candidates.count, max(1, text.height - (text.height > 8 ? 8 : 1)))
    let first = min(max(0, chosen - space / 2), candidates.count - space)
    for (y, index) in (first..<(first + space)).enumerated() {
      draw(candidates[index], isChosen: index == chosen, on: text, y: y)
    }
    var y = space + (text.height > 8 ? 1 : 0)
    if !folders.isEmpty {
      let used = text.write("Folder ", x: 0, y: y, .secondary)
      let name = folder > 0 ? folders[folder - 1] : "none"
      text.write("‹ \(name) ›", x: used, y: y, columns: text.width - used)
      y += 2
    }
    guard candidates.indices.contains(chosen) else { return }
    let titles = candidates[chosen].latestTitles.prefix(max(0, text.height - y - 1))
    guard !titles.isEmpty else { return }
    text.write(FoundFeeds.heading(ofTitles: candidates[chosen]), x: 0, y: y, .secondary)
    for (offset, title) in titles.enumerated() {
      text.write(title, x: 2, y: y + 1 + offset, columns: text.width - 2)
    }
  }

  private func draw(_ candidate: FeedCandidate, isChosen: Bool, on text: Canvas, y: Int) {
    if isChosen {
      text.mark(row: y)
      text.focus(y: y)
    }
    let role: Role = isChosen ? .title : .text
    let isKnown = known.contains(candidate.url)
    let address = Confusables.shown(candidate.url)
    if let summary = ListWording.summary(candidate) {
      let known = isKnown ? " (already subscribed)" : ""
      text.write(summary + known, x: 2, y: y, columns: text.width - 2, role)
    } else if let title = candidate.title, !title.isEmpty {
      let used = text.write(title, x: 2, y: y, columns: text.width - 2, role)
      text.write(
        isKnown ? "already subscribed" : address, x: 4 + used, y: y,
        columns: max(0, text.width - 4 - used), truncation: .middle, .secondary)
    } else {
      text.write(address, x: 2, y: y, columns: text.width - 2, truncation: .middle, role)
    }
  }
}
