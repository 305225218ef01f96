/// A failed read or write of the cache must be shown to the user or logged. `try?` would treat it
/// as an empty result.
@Suite("Errors of the cache") struct CacheErrors {
  /// The targets that may not drop an error of the cache.
  private static let targets = [
    "ArticleScreens", "ProgramSettings", "ReaderServices", "ReaderUI", "SyncEngine", "weir",
  ]

  /// The names by which these targets hold the cache and its facets.
  private static let facets: Set<Substring> = [
    "FeedStore", "accountSync", "accounts", "cache", "database", "engine", "maintenance", "reader",
    "search", "store",
  ]

  /// Calls that may fail in silence, with the reason.
  private static let exceptions = [
    // A completion cannot show a message.
    "Sources/Program/weir/Support/Completions.swift: FeedStore.open",
    // The screens have ended; the line of the last visit stays where it was.
    "Sources/Reader/ReaderUI/Application/ReaderApplication.swift: context.store.articles.recordVisit",
  ]

  /// Returns the calls of the cache after a `try?`.
  static func silentCalls(in code: String) -> [String] {
    let code = code.replacing(/\/\/.*/, with: "")
    return code.matches(of: /try\?\s+(?:await\s+)?([A-Za-z_][\w.?!]*(?:\s+\.[\w.?!]+)*)\s*[({]/)
      .map { String($0.1.filter { !$0.isWhitespace && $0 != "?" && $0 != "!" }) }
      .filter { call in call.split(separator: ".").dropLast().contains(where: facets.contains) }
  }

  @Test("No error of the cache is dropped") func errorsAreKept() throws {
    var unused = Set(Self.exceptions)
    for target in Self.targets {
      for file in try Manifest.files(of: target) {
        let path = file.path.dropFirst(ImportRules.root.path.count + 1)
        for call in Self.silentCalls(in: try String(contentsOf: file, encoding: .utf8)) {
          let found = "\(path): \(call)"
          guard !Self.exceptions.contains(found) else {
            unused.remove(found)
            continue
          }
          Issue.record("\(found): throw the error, report it, or log it")
        }
      }
    }
    #expect(unused.isEmpty, "these exceptions are no longer needed")
  }

  @Test(
    "A dropped error is found in each form of a call, and other code is not matched",
    arguments: [
      ("let a = try? store.feeds.feed(id)", ["store.feeds.feed"]),
      ("(try? await context.store.packs.spend(1, of: pack))", ["context.store.packs.spend"]),
      ("try?\n  await accounts\n    .endAccountSync(id)", ["accounts.endAccountSync"]),
      ("try? session?.store.reader.joined { $0 }", ["session.store.reader.joined"]),
      ("guard let store = try? FeedStore.open(directory: a)", ["FeedStore.open"]),
      ("// try? store.feeds.feed(id)", []), ("try store.feeds.feed(id)", []),
      ("try? Pattern(source)", []), ("try? await Task.sleep(for: delay)", []),
      ("try? restore(file)", []), ("try? keyring.save(password)", []),
    ])
  func callsAreFound(code: String, calls: [String]) {
    #expect(Self.silentCalls(in: code) == calls)
  }
}
