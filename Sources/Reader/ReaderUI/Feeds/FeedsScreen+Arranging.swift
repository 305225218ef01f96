import TerminalViews

/// The place of a folder as people write it: titles separated by slashes.
nonisolated enum FolderPath {
  static func text(_ path: [String]) -> String { path.joined(separator: "/") }

  static func titles(_ text: String) -> [String] {
    text.split(separator: "/").map { String($0).trimmingWhitespace }.filter { !$0.isEmpty }
  }
}

/// Places and names of feeds and folders. One key undoes each change.
extension FeedsScreen {
  var arrangingBindings: [Binding] {
    unowned let screen = self
    return [
      Binding(.sort, choices: { screen.orders }, given: { screen.sort($0) }),
      Binding(.moveToFolder, unless: screen.whyNotInTree, choices: { screen.moving.folders() }) {
        screen.moving.move(to: FolderPath.titles($0))
      },
      Binding(.moveFeedDown, unless: screen.whyNotOrdered, counted: { screen.reorder(by: $0) }),
      Binding(.moveFeedUp, unless: screen.whyNotOrdered, counted: { screen.reorder(by: -$0) }),
      Binding(
        .edit,
        unless: screen.whyNotChanged("Select a feed, a folder or a saved search to edit it")
      ) { screen.edit() },
      Binding(
        .snooze, unless: screen.selectedFeed == nil ? "Select a feed" : nil,
        choices: {
          SnoozeChoices.all(screen.context, isSnoozed: screen.selectedFeed?.snoozedUntil != nil)
        },
        given: { time in
          guard let feed = screen.selectedFeed else { return }
          SnoozeChoices.snooze(time, feed.id, feed.name, screen.context)
        }),
      Binding(
        .priority, unless: screen.whyNotInTree, choices: { screen.priorities },
        given: { screen.setPriority($0) }),
    ]
  }

  private var moving: FeedMoving { FeedMoving(context: context, model: model) }

  private var orders: ArgumentChoices {
    let place = model.view.foldersLast ? FolderPlace.first : .last
    return ArgumentChoices(
      all: FeedOrder.allCases.map(\.rawValue) + [place.rawValue],
      current: model.view.order.rawValue)
  }

  private var priorities: ArgumentChoices {
    let current: FeedPriority? =
      switch model.selectedSource {
      case .feed(let id): model.feed(id)?.priority
      case .folder(let id): model.subscriptions.folders.first { $0.id == id }?.priority
      default: nil
      }
    return ArgumentChoices(all: FeedPriority.allCases.map(\.name), current: current?.name ?? "")
  }

  private func setPriority(_ name: String) {
    guard let source = model.selectedSource, let priority = FeedPriority(name: name) else { return }
    let (context, name) = (context, model.name(source))
    context.write({ store in
      switch source {
      case .feed(let id): try await store.feeds.setPriority(id, priority)
      case .folder(let id): try await store.folders.setPriority(id, priority)
      default: break
      }
    }) {
      context.note("\(name.shortName) has priority \(priority.name)\(context.undoHint())")
    }
  }

  private var whyNotInTree: String? {
    model.selectedSource?.isInTree == true ? nil : "Select a feed or a folder"
  }

  private var whyNotOrdered: String? {
    let order = model.view.order
    return order == .own
      ? whyNotInTree
      : "Feeds are sorted by \(order.rawValue); choose the order \u{201C}own\u{201D} first"
  }

  private func sort(_ name: String) {
    if let place = FolderPlace(rawValue: name) {
      model.setFoldersLast(place == .last)
      return context.actions.remember(.folders, name)
    }
    guard let order = FeedOrder(rawValue: name) else { return }
    model.setOrder(order)
    context.actions.remember(.feedOrder, order.rawValue)
  }

  private func reorder(by steps: Int) {
    switch model.selectedSource {
    case .feed(let id):
      context.write { store in try await store.feeds.reorder(id, by: steps) }
    case .folder(let id):
      context.write { store in try await store.folders.reorder(id, by: steps) }
    default: break
    }
  }

  private func edit() {
    switch model.selectedSource {
    case .feed(let id):
      guard let feed = model.feed(id) else { return }
      context.window?.edit(feed)
    case .folder(let id): rename(id)
    case .saved(let id): rename(id)
    default: break
    }
  }

  private func rename(_ folder: FolderID) {
    let name = model.name(.folder(folder))
    context.ask(for: "Name of the folder: ", text: name) { [context] new in
      guard new != name else { return }
      context.write { store in try await store.folders.rename(folder, to: new) }
    }
  }

  func deleteFolder(_ folder: FolderID) {
    let name = model.name(.folder(folder))
    let feeds = StoreWording.keptFeeds(model.feeds(in: folder).count)
    context.write(noting: "Folder \(name) deleted, \(feeds)\(context.undoHint())") {
      store in try await store.folders.delete(folder)
    }
  }
}
