import TerminalViews

/// Moves the selected feed or folder to another folder, which may be new.
struct FeedMoving {
  let context: ReaderContext
  let model: FeedListModel

  func folders() -> ArgumentChoices? {
    let current: FolderID? =
      switch model.selectedSource {
      case .feed(let id): model.feed(id)?.folder
      case .folder(let id): model.subscriptions.folders.first { $0.id == id }?.parent
      default: nil
      }
    let path = FolderPath.text(model.path(current))
    return ArgumentChoices(
      all: ["/"] + model.folderPaths, current: path.isEmpty ? "/" : path, titles: ["/": "No folder"]
    )
  }

  func move(to path: [String]) {
    guard let source = model.selectedSource else { return }
    switch source {
    case .feed(let id):
      move(source, to: path) { store, isMigrated in
        try await store.feeds.move(id, toFolder: path, isMigrated: isMigrated)
      }
    case .folder(let id):
      move(source, to: path) { store, isMigrated in
        try await store.folders.move(id, toFolder: path, isMigrated: isMigrated)
      }
    default: break
    }
  }

  /// Subscribes at the server if the target is an account's folder, after a question.
  private func move(
    _ source: ListSource, to path: [String], isMigrated: Bool = false,
    _ body: @escaping @Sendable (ReaderCache, Bool) async throws -> Void
  ) {
    let (context, undo) = (context, isMigrated ? "" : context.undoHint())
    let name = model.name(source)
    context.write(
      { store in try await body(store, isMigrated) },
      then: {
        let place = path.isEmpty ? "no folder" : FolderPath.text(path)
        context.note("\(name.shortName) is in \(place)\(undo)")
        showMoved(source)
      },
      failed: { error in
        guard case .accountsFolder(let id) = error else { return context.report(error) }
        askToMove(source, to: path, of: id, body)
      })
  }

  /// Asks whether a move into the folder of an account is meant, which subscribes at its server.
  private func askToMove(
    _ source: ListSource, to path: [String], of id: AccountID,
    _ body: @escaping @Sendable (ReaderCache, Bool) async throws -> Void
  ) {
    let account = context.read(try context.store.accounts.account(id))?.title
    let name = model.name(source)
    let question = "Move \(name), and subscribe to it at \(account ?? FolderPath.text(path))?"
    context.ask(whether: question) { move(source, to: path, isMigrated: true, body) }
  }

  /// Selects what was moved, also in a closed or a new folder.
  private func showMoved(_ source: ListSource) {
    _ = model.modelUpdated(.subscriptions)
    model.reveal(.list(source))
    context.invalidate()
  }
}
