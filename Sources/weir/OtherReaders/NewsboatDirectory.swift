import FeedModel
import FeedParsing
import FeedStore
import Foundation
import ReaderUI
import Wording

struct NewsboatDirectory {
  let folder: String
  let mayBeOwn: Bool

  /// - Throws: if the folder holds nothing of newsboat.
  init(_ folder: String, mayBeOwn: Bool) throws {
    self.folder = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    self.mayBeOwn = mayBeOwn
    guard urls != nil || cache != nil || config != nil else {
      throw CommandFailure(
        "\(folder) has no urls, cache.db or config of newsboat\u{2019}s. It is usually ~/.newsboat or "
          + "~/.config/newsboat.")
    }
  }

  private func file(_ name: String) -> String? {
    let path = "\(folder)/\(name)"
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }

  private var urls: String? { file("urls") }
  private var config: String? { file("config") }

  /// Beside the list, or in the XDG data directory.
  private var cache: String? {
    if let here = file("cache.db") { return here }
    guard folder.hasSuffix("/.config/newsboat") else { return nil }
    let home = String(folder.dropLast("/.config/newsboat".count))
    let data = home + "/.local/share/newsboat/cache.db"
    return FileManager.default.fileExists(atPath: data) ? data : nil
  }

  func run(in session: Session) async throws {
    if let urls { try await importList(urls, session) }
    if let cache {
      try await NewsboatImport(path: cache, store: session.store, mayBeOwn: mayBeOwn).run()
      session.log.info("imported newsboat\u{2019}s cache \(cache)")
    }
    if let config { try await propose(config, session) }
  }

  private func importList(_ path: String, _ session: Session) async throws {
    let bytes = try TextFile.read(path)
    let outline: OPML.Outline
    do throws(ParseError) {
      outline = try NewsboatURLs.parse(bytes, mayBeOwn: mayBeOwn)
    } catch {
      throw CommandFailure("\(path) isn\u{2019}t newsboat\u{2019}s list: \(error.reason)")
    }
    for line in outline.skipped { Console.note("Skipped: \(line)") }
    let result = try await session.store.reader.subscribe(outline.entries, mayBeOwn: mayBeOwn)
    var parts = ["Imported \(AmountWording.count(result.added.count, "feed", "feeds"))"]
    if result.known > 0 { parts.append("\(AmountWording.grouped(result.known)) already there") }
    let searches = try await QueryImport(outline.queries).save(in: session.store)
    if searches > 0 {
      parts.append("\(AmountWording.count(searches, "saved search", "saved searches")) added")
    }
    try Console.print(parts.joined(separator: "; "))
    session.log.info("imported \(path): \(result.added.count) added, \(result.known) known")
  }

  private func propose(_ path: String, _ session: Session) async throws {
    let bytes = try NewsboatInclude.read(path)
    let statements: [NewsboatConfig.Statement]
    do throws(ParseError) {
      statements = try NewsboatConfig.parse(bytes)
    } catch {
      throw CommandFailure("\(path) isn\u{2019}t newsboat\u{2019}s configuration: \(error.reason)")
    }
    let proposal = NewsboatTranslation(statements).proposal
    for line in proposal.report { try Console.print(line) }
    try await addRules(NewsboatRules.parse(String(decoding: bytes, as: UTF8.self)), session)
    guard !proposal.isEmpty, let configuration = session.paths.config else { return }
    let written = try proposal.write(beside: configuration, from: "newsboat")
    try Console.print("")
    try Console.print(
      "These settings are in \(written). Copy what you want into \(configuration).")
  }
}

extension NewsboatDirectory {
  /// Adds ignored and highlighted articles as disabled rules.
  private func addRules(_ found: NewsboatRules, _ session: Session) async throws {
    let known = Set(try session.store.reader.rules().map(\.query))
    let drafts = found.rules.filter { !known.contains($0.query) }
    for draft in drafts { try await session.store.reader.addRule(draft, reach: nil) }
    guard !drafts.isEmpty else { return }
    try Console.print("")
    try Console.print(
      "\(AmountWording.count(drafts.count, "rule", "rules")) added, not enabled yet: gW in the reader "
        + "or weir rule list shows them, weir rule test tries one.")
  }
}

/// newsboat's `config` with included files inserted.
enum NewsboatInclude {
  private static let deepest = 8
  /// Bytes of all files.
  private static let longest = 4 << 20

  /// - Throws: if the file itself cannot be read; an include that cannot be read stays as a line.
  static func read(_ path: String) throws -> [UInt8] {
    var left = longest
    return try read(path, within: [], &left)
  }

  /// - Parameters:
  ///   - outer: the including files, the outermost first.
  ///   - left: bytes that may still be read.
  private static func read(_ path: String, within outer: [String], _ left: inout Int) throws
    -> [UInt8]
  {
    let path = URL(filePath: path).resolvingSymlinksInPath().path
    // A file that includes itself would be listed many times.
    guard !outer.contains(path) else { throw CocoaError(.fileReadUnknown) }
    let bytes = try TextFile.read(path)
    left -= bytes.count
    var whole: [UInt8] = []
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      if outer.count < deepest, left > 0, let name = included(Array(line)),
        let included = try? read(
          resolve(name, beside: path), within: outer + [path], &left)
      {
        whole += included
      } else {
        whole += line
      }
      whole.append(0x0A)
    }
    return whole
  }

  private static func included(_ line: [UInt8]) -> String? {
    guard let statement = (try? NewsboatConfig.parse(line))?.first, statement.command == "include"
    else { return nil }
    return statement.words.first
  }

  private static func resolve(_ name: String, beside path: String) -> String {
    if name.hasPrefix("~/") {
      return (Environment.home ?? "~") + name.dropFirst()
    }
    guard !name.hasPrefix("/") else { return name }
    return URL(filePath: path).deletingLastPathComponent().appending(path: name).path
  }
}

struct QueryImport {
  let queries: [OutlineQuery]

  init(_ queries: [OutlineQuery]) { self.queries = queries }

  /// Saves new queries and reports those that the search language cannot express.
  /// - Returns: the number of saved searches.
  func save(in store: FeedStore) async throws -> Int {
    var known = Set(try store.reader.subscriptions().searches.map(\.query))
    var saved = 0
    for query in queries {
      guard let search = NewsboatTranslation.search(query.condition),
        (try? SearchQuery(search)) != nil
      else {
        Console.note(
          "Skipped: Line \(query.line): the search language has no words for "
            + "\u{201C}\(SafeText.line(query.name))\u{201D} (\(SafeText.line(query.condition))).")
        continue
      }
      guard known.insert(search).inserted else { continue }
      try await store.search.saveSearch(search, name: query.name)
      saved += 1
    }
    return saved
  }
}
