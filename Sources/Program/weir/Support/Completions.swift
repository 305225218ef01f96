import ArgumentParser
import ProgramSettings

/// Completions of names in the cache.
///
/// Shells evaluate them, so only words of ASCII letters, digits and `-._` are offered, since a
/// feed's title may contain anything. Commands accept a part of a name.
extension CompletionKind {
  static let feeds = CompletionKind.custom { arguments, _, prefix in
    words(of: arguments) { store in
      try store.reader.feeds.subscriptions().feeds.compactMap { word(of: $0.name, from: prefix) }
    }
  }

  static let accounts = CompletionKind.custom { arguments, _, _ in
    words(of: arguments) { store in try store.reader.accounts.all().map { "\($0.id.rawValue)" } }
  }

  /// Returns words; empty if the cache cannot be read, since completions cannot show a message.
  private static func words(
    of arguments: [String], _ read: (FeedStore) throws -> [String]
  ) -> [String] {
    let option = arguments.firstIndex(of: "--data-dir").map { arguments.index(after: $0) }
    let directory = option.flatMap { arguments.indices.contains($0) ? arguments[$0] : nil }
    guard let paths = try? Paths(dataDir: directory, config: nil),
      let store = try? FeedStore.open(directory: paths.data, options: StoreOptions())
    else { return [] }
    defer { store.close() }
    return Set((try? read(store)) ?? []).sorted()
  }

  /// Returns the first word of a name that begins with the prefix.
  static func word(of name: String, from prefix: String) -> String? {
    name.split(separator: " ").map(String.init).first { word in
      word.utf8.allSatisfy(isHarmless) && word.lowercased().hasPrefix(prefix.lowercased())
        && !word.hasPrefix("-")
    }
  }

  private static func isHarmless(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
