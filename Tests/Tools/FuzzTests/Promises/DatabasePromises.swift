import FeedStore
import Foundation

/// Properties of a database with any damage: opening, checks, repairs and restorations terminate,
/// and each result is a sound database.
///
/// The input is a list of changes to a small sound database: a place in three bytes, a length in
/// one, and that many bytes. A length of 255 cuts the file at the place instead.
enum DatabasePromises {
  private static let root = NSTemporaryDirectory() + "weir-fuzz-\(getpid())"
  private static let sound = Result { try makeSound() }

  static func fault(in bytes: [UInt8]) -> String? {
    guard case .success(let sound) = sound else { return "no database to begin with: \(sound)" }
    let damaged = change(sound, by: bytes)
    let (place, target) = (root + "/place", root + "/target")
    for folder in [place, target] {
      try? FileManager.default.removeItem(atPath: folder)
      try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    let file = place + "/weir.db"
    guard (try? damaged.write(to: URL(fileURLWithPath: file))) != nil else { return "no room" }
    if (try? CacheFile.restore(from: file, directory: target, programs: .leaveOut)) != nil,
      let fault = fault(of: target, after: "a restore")
    {
      return fault
    }
    if let store = try? FeedStore.open(directory: place) {
      _ = try? store.file.integrityProblems()
      _ = try? store.reader.articles.page(ArticleQuery(scope: .all), .top, limit: 100)
      store.close()
    }
    guard (try? CacheFile.recover(directory: place)) != nil else { return nil }
    return fault(of: place, after: "a repair")
  }

  private static func fault(of directory: String, after what: String) -> String? {
    do {
      let store = try FeedStore.open(directory: directory)
      defer { store.close() }
      // The check before a restoration does not cover references.
      let problems = try store.file.integrityProblems().filter {
        if case .missingReferences = $0 { what == "a repair" } else { true }
      }
      return problems.isEmpty ? nil : "after \(what): \(problems)"
    } catch {
      return "after \(what): \(error)"
    }
  }

  private static func change(_ sound: Data, by bytes: [UInt8]) -> Data {
    var (result, rest) = (sound, bytes[...])
    while rest.count >= 4, !result.isEmpty {
      let place = rest.prefix(3).reduce(0) { $0 << 8 | Int($1) } % result.count
      let length = Int(rest[rest.startIndex + 3])
      rest = rest.dropFirst(4)
      if length == 255 {
        result = result.prefix(place)
      } else {
        let noise = rest.prefix(min(length, result.count - place))
        result.replaceSubrange(place..<place + noise.count, with: noise)
        rest = rest.dropFirst(length)
      }
    }
    return result
  }

  private static func makeSound() throws -> Data {
    let directory = root + "/sound"
    try? FileManager.default.removeItem(atPath: directory)
    let store = try FeedStore.open(directory: directory)
    let done = DispatchSemaphore(value: 0)
    Task {
      try? await fill(store)
      done.signal()
    }
    done.wait()
    store.close()
    return try Data(contentsOf: URL(fileURLWithPath: directory + "/weir.db"))
  }

  private static func fill(_ store: FeedStore) async throws {
    let folder = try await store.reader.folders.folder(path: ["F"])
    let feed = try await store.reader.feeds.subscribe(
      url: "https://e.org/feed", title: nil, folder: folder)
    let items = (0..<40).map { number in
      ParsedItem(
        id: "item-\(number)", url: "https://e.org/\(number)", title: "Article \(number)",
        contentHTML: "<p>\(String(repeating: "Body ", count: number % 10 == 0 ? 8_000 : 20))</p>")
    }
    let outcomes = try await store.engine.fetches.merge([
      RefreshResult(
        feed: feed, at: Date(timeIntervalSince1970: 1_795_255_200),
        outcome: .parsed(ParsedFeed(format: .rss, title: "F", items: items), bodyHash: "00"),
        nextCheckAt: Date(timeIntervalSince1970: 1_795_258_800))
    ])
    try await store.reader.states.set(.starred, Array(outcomes[0].added.prefix(9)), true)
    try await store.reader.states.set(.read, Array(outcomes[0].added.suffix(9)), true)
  }
}
