import FeedModel
import FeedStore

/// How people write the place of a folder: titles parted by slashes.
nonisolated enum FolderPath {
  static func text(_ path: [String]) -> String { path.joined(separator: "/") }

  static func titles(_ text: String) -> [String] {
    text.split(separator: "/").map { String($0).trimmingWhitespace }.filter { !$0.isEmpty }
  }
}

/// Where feeds and folders stand, and what they are called. All of it is undone by one key.
extension FeedsScreen {
  func choices(for command: Command) -> ArgumentChoices? {
    switch command {
    case .sort: return ArgumentChoices(all: FeedTree.Order.allCases.map(\.rawValue))
    case .moveToFolder:
      let current: FolderID? =
        switch model.selectedSource {
        case .feed(let id): model.feed(id)?.folder
        case .folder(let id): model.subscriptions.folders.first { $0.id == id }?.parent
        default: nil
        }
      return ArgumentChoices(all: model.folderPaths, current: FolderPath.text(model.path(current)))
    default: return nil
    }
  }

  /// Takes a command with its argument. False where it is none of the feeds'.
  func take(_ command: Command, given text: String) -> Bool {
    switch command {
    case .sort:
      guard let order = FeedTree.Order(rawValue: text) else { return false }
      model.setOrder(order)
      context.invalidate()
    case .moveToFolder: move(to: FolderPath.titles(text))
    default: return false
    }
    return true
  }

  private func move(to path: [String]) {
    let name: String
    switch model.selectedSource {
    case .feed(let id):
      name = model.name(.feed(id))
      context.write({ store throws(StoreError) in try await store.move(id, toFolder: path) }) {
        self.moved(name, path)
      }
    case .folder(let id):
      name = model.name(.folder(id))
      context.write({ store throws(StoreError) in try await store.move(id, toFolder: path) }) {
        self.moved(name, path)
      }
    default: context.note("Select a feed or a folder to move it")
    }
  }

  private func moved(_ name: String, _ path: [String]) {
    context.note("\(name) is in \(path.isEmpty ? "no folder" : FolderPath.text(path))\(undoHint)")
  }

  private var undoHint: String { context.keymap.label(.undo).map { "; \($0) undoes it" } ?? "" }

  func reorder(by steps: Int) {
    guard model.view.order == .own else {
      return context.note(
        "Feeds are sorted by \(model.view.order.rawValue); sort them by own first")
    }
    switch model.selectedSource {
    case .feed(let id):
      context.write { store throws(StoreError) in try await store.reorder(id, by: steps) }
    case .folder(let id):
      context.write { store throws(StoreError) in try await store.reorder(id, by: steps) }
    default: context.note("Select a feed or a folder to move it")
    }
  }

  func edit() {
    switch model.selectedSource {
    case .feed(let id):
      guard let feed = model.feed(id) else { return }
      send(.editFeed(feed))
    case .folder(let id): rename(id)
    case .saved(let id): rename(id)
    default: context.note("Select a feed, a folder or a kept search to edit it")
    }
  }

  private func rename(_ folder: FolderID) {
    let context = context
    let name = model.name(.folder(folder))
    send(
      .ask(
        TextPrompt(label: "Name of the folder:", text: name, context: context) { [weak self] new in
          self?.send(.endPrompt)
          guard let new = new?.trimmingWhitespace, !new.isEmpty, new != name else { return }
          context.write { store throws(StoreError) in try await store.rename(folder, to: new) }
        }))
  }

  func deleteFolder(_ folder: FolderID) {
    let (context, name, hint) = (context, model.name(.folder(folder)), undoHint)
    context.write({ store throws(StoreError) in try await store.delete(folder) }) {
      context.note("Folder \(name) deleted, its feeds kept\(hint)")
    }
  }
}
