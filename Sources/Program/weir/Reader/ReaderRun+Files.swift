import Foundation
import ProgramSettings
import Programs

extension ReaderRun {
  func exportSubscriptions(path: String) async throws(ActionFailure) -> String {
    do {
      let file = try Self.newFile(path)
      let count = try ExportCommand.write(session.store, to: file)
      return "Exported \(AmountWording.feeds(count)) to \(path)"
    } catch let failure as CommandFailure {
      throw ActionFailure(failure, session.log)
    } catch {
      throw ActionFailure("The feeds can\u{2019}t be exported")
    }
  }

  func save(_ text: String, path: String) async throws(ActionFailure) -> String {
    try await wordingErrors {
      let file = try Self.newFile(path)
      try TextFile.replace(file, with: Array(text.utf8), followsLinks: false)
      return "Saved as \(path)"
    }
  }

  func saveBook(
    of articles: [ArticleID], title: String, path: String
  ) async throws(ActionFailure) -> String {
    try await wordingErrors(otherwise: "The book can\u{2019}t be written") {
      let file = try Self.newFile(path)
      let count = try await BookFile(store: session.store).write(articles, title: title, to: file)
      return "Wrote \(AmountWording.articles(count)) to \(path)"
    }
  }

  private static func newFile(_ path: String) throws(CommandFailure) -> String {
    let file = Paths.expandingHome(path)
    guard !FileManager.default.fileExists(atPath: file) else {
      throw CommandFailure("\(path) already exists; type another name.")
    }
    return file
  }

  func saveDatabase(path: String) async throws(ActionFailure) -> String {
    let (cache, file) = (session.store.file, Paths.expandingHome(path))
    return try await wordingErrors {
      try await OwnThread.run { _ in Result { try cache.backup(to: file) } }.get()
      return "Database copied to \(path)"
    }
  }
}

enum PathCompletion {
  private static let most = 200

  /// Returns completions as typed, including `~`. Folders end in a slash; hidden files need a dot.
  static func paths(like path: String) -> [String] {
    let typed = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    let name = String(path.dropFirst(typed.count))
    let folder = Paths.expandingHome(typed.isEmpty ? "." : typed)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let found = names.filter { $0.hasPrefix(name) && (name.hasPrefix(".") || !$0.hasPrefix(".")) }
    return found.sorted().prefix(most).map { name in
      var isFolder = ObjCBool(false)
      let exists = FileManager.default.fileExists(
        atPath: "\(folder)/\(name)", isDirectory: &isFolder)
      return typed + name + (exists && isFolder.boolValue ? "/" : "")
    }
  }
}

extension ReaderRun {
  /// Reads a list of subscriptions on a separate thread.
  /// - Throws: if the file is a pipe or a device, or contains nothing that can be imported.
  nonisolated static func subscriptions(
    at path: String
  ) async throws(CommandFailure) -> SubscriptionList {
    let list = await OwnThread.run { _ in
      Result { () throws(CommandFailure) -> SubscriptionList in
        try Self.requireFile(path)
        return try SubscriptionList.read(path)
      }
    }
    return try list.get()
  }

  /// Throws for standard input, and for files that may never end.
  private nonisolated static func requireFile(_ path: String) throws(CommandFailure) {
    guard path != "-" else {
      throw CommandFailure(
        "The reader imports files; \u{201C}weir import -\u{201D} reads standard input.")
    }
    var status = stat()
    // A missing file is reported when it is read.
    guard stat(path, &status) == 0 else { return }
    switch status.st_mode & S_IFMT {
    case S_IFIFO: throw CommandFailure("\(path) cannot be imported: it is a pipe.")
    case S_IFCHR, S_IFBLK: throw CommandFailure("\(path) cannot be imported: it is a device.")
    default: return
    }
  }
}
