import TerminalViews

/// The folders that the list of feeds shows alone, as the user writes them.
package nonisolated enum FolderFocus {
  case all
  case folders([FolderID])
  case unknown(String)

  /// The text that ends a focus.
  static let everything = "all"
  static let separator: Character = ","

  /// Parses "Work, Tech/Databases": paths or titles of folders, in any case.
  package init(_ text: String, in subscriptions: Subscriptions) {
    let whole = Self.named(text.trimmingWhitespace, in: subscriptions)
    guard whole.isEmpty else {
      self = .folders(whole)
      return
    }
    let names = text.split(separator: Self.separator).map { String($0).trimmingWhitespace }
      .filter { !$0.isEmpty }
    guard !names.isEmpty, !names.contains(Self.everything) else {
      self = .all
      return
    }
    let found = names.map { Self.named($0, in: subscriptions) }
    if let unknown = zip(names, found).first(where: { $0.1.isEmpty }) {
      self = .unknown(unknown.0)
    } else {
      self = .folders(found.flatMap(\.self))
    }
  }

  /// Returns the folders with this path, or those with this title if no path matches.
  private static func named(_ name: String, in subscriptions: Subscriptions) -> [FolderID] {
    let name = name.lowercased()
    let byPath = subscriptions.folders.filter {
      FolderPath.text(subscriptions.path(of: $0.id)).lowercased() == name
    }
    let found =
      byPath.isEmpty ? subscriptions.folders.filter { $0.title.lowercased() == name } : byPath
    return found.map(\.id)
  }
}
