import ProgramSettings

/// Requested full texts and files that have not been fetched yet.
struct AskedFor {
  private var texts: [ArticleID] = []
  private var files: [Int64] = []
  private var hasDiscoveries = false

  /// A page or file that could not be fetched.
  struct Failed {
    var article: ArticleID
    var url: String
    var failure: RefreshFailure

    var line: String { SafeText.withoutSecrets("  \(Confusables.shown(url)): \(message)") }

    var document: JSONObject {
      [
        "article": article.rawValue, "url": SafeText.withoutSecrets(url), "outcome": "failed",
        "failure": [
          "kind": failure.kind.rawValue, "status": failure.status,
          "message": SafeText.withoutSecrets(message),
        ] as JSONObject,
      ]
    }

    private var message: String { FailureWording.now.happened(failure, at: url) }
  }

  init() {}

  init(_ store: FeedStore) throws {
    texts = try store.engine.fullTexts.pending().map(\.article)
    files = try store.engine.downloads.pending().map(\.id)
    hasDiscoveries = try !store.engine.discoveries.pending().isEmpty
  }

  var isEmpty: Bool { texts.isEmpty && files.isEmpty && !hasDiscoveries }

  func failed(_ store: FeedStore) throws -> [Failed] {
    let texts = try texts.compactMap { try store.reader.fullTexts.fullText($0) }
    let files = try files.compactMap { try store.reader.downloads.download($0) }
    var failed: [Failed] = []
    for text in texts {
      guard case .failed(let failure) = text.state else { continue }
      failed.append(Failed(article: text.article, url: text.url, failure: failure))
    }
    for file in files {
      guard case .failed(let failure) = file.state else { continue }
      failed.append(Failed(article: file.article, url: file.url, failure: failure))
    }
    return failed
  }

  /// Returns a line like "Full texts and files that were asked for: 2 fetched, 1 failed", then one
  /// for each failure.
  func lines(_ store: FeedStore) throws -> [String] {
    let failed = try self.failed(store)
    var fetched = 0
    for text in texts {
      if case .found = try store.reader.fullTexts.fullText(text)?.state { fetched += 1 }
    }
    for file in files {
      if case .saved = try store.reader.downloads.download(file)?.state { fetched += 1 }
    }
    let waiting = texts.count + files.count - fetched - failed.count
    let parts = [(fetched, "fetched"), (failed.count, "failed"), (waiting, "to come")]
      .filter { $0.0 > 0 }.map { "\(AmountWording.grouped($0.0)) \($0.1)" }
    guard !parts.isEmpty else { return [] }
    return ["Full texts and files that were asked for: \(parts.joined(separator: ", "))"]
      + failed.map(\.line)
  }
}
