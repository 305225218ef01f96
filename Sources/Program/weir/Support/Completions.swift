import ArgumentParser
import Foundation
import ProgramSettings
import TerminalViews

/// Completions of names in the cache.
extension CompletionKind {
  static let feeds = kind(feeds)
  static let folders = kind { store, _ in try folders(store) }
  static let feedsAndFolders = kind { try feeds($0, $1) + folders($0) }
  static let accounts = kind { store, prefix in
    try store.reader.accounts.all().map { Word($0.id.rawValue, $0.title, for: prefix, .requesting) }
  }
  static let rules = kind { store, prefix in
    try store.reader.rules.all().map { Word($0.id.rawValue, $0.name, for: prefix, .requesting) }
  }
  static let tags = kind { store, _ in
    try store.reader.feeds.subscriptions().tags.map { Word($0.name) }
  }
  /// The queries of saved searches.
  static let searches = kind { store, _ in
    try store.reader.feeds.subscriptions().searches.map { Word($0.query, about: $0.name) }
  }
  static let themes = CompletionKind.list(Theme.all.map(\.name))

  @Sendable private static func feeds(_ store: FeedStore, _ prefix: String) throws -> [Word] {
    let subscriptions = try store.reader.feeds.subscriptions()
    return subscriptions.feedsInTreeOrder.map {
      Word($0.id.rawValue, subscriptions.name(of: $0.id, $0.name), for: prefix, .requesting)
    }
  }

  private static func folders(_ store: FeedStore) throws -> [Word] {
    let subscriptions = try store.reader.feeds.subscriptions()
    return subscriptions.folders.map { Word(subscriptions.path(of: $0.id).joined(separator: "/")) }
  }

  /// A word to offer.
  struct Word {
    var text: String
    var about = ""

    init(_ text: String, about: String = "") {
      (self.text, self.about) = (SafeText.line(text), SafeText.line(about))
    }

    /// Offers the number, with the name as its description, or the name if letters were typed or
    /// the shell shows no descriptions. A name that begins like an option is never offered.
    init(_ number: Int64, _ name: String, for prefix: String, _ shell: CompletionShell?) {
      self.init("\(number)", about: name.trimmingCharacters(in: .whitespaces))
      let showsNumbers = shell != .bash && prefix.allSatisfy(\.isNumber)
      if !showsNumbers, !about.isEmpty, !about.hasPrefix("-") { (text, about) = (about, text) }
    }

    /// Returns the word as the script of the shell reads it.
    func line(for shell: CompletionShell?) -> String {
      switch shell {
      case .fish?: about.isEmpty ? text : text + "\t" + about
      case .zsh?:
        text.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
          + (about.isEmpty ? "" : ":" + about)
      // The script evaluates each line.
      default: "'" + text.replacing("'", with: "'\\''") + "'"
      }
    }
  }

  private static func kind(
    _ read: @escaping @Sendable (FeedStore, String) throws -> [Word]
  ) -> CompletionKind {
    .custom { arguments, _, prefix in
      let option = arguments.firstIndex(of: "--data-dir")
      let directory = option.flatMap { arguments.dropFirst($0 + 1).first }
      guard
        let paths = try? Paths(dataDir: directory, config: nil),
        access(paths.data + "/weir.db", F_OK) == 0,
        let store = try? FeedStore.open(directory: paths.data, options: StoreOptions())
      else { return [] }
      defer { store.close() }
      // A completion cannot show a message.
      return ((try? read(store, prefix)) ?? []).filter { !$0.text.isEmpty }.map {
        $0.line(for: .requesting)
      }
    }
  }
}
