import Synchronization

/// Feeds generated from a seed: the same documents in every run, in four formats and a dozen
/// scripts. Generation 1 is the state of the feeds a day later, when some have news.
public struct Corpus: Sendable {
  /// One feed as an origin serves it.
  public struct Document: Sendable {
    /// The document in UTF-8.
    public var body: [UInt8]
    /// The header `Content-Type`.
    public var contentType: String
    /// The header `ETag`, with its quotes.
    public var etag: String
    /// The header `Last-Modified`.
    public var lastModified: String
  }

  /// The formats of documents.
  public enum Format: Int, Sendable, CaseIterable { case rss, atom, rdf, json }

  /// The number of feeds, which are numbered from 0.
  public var feeds: Int
  /// The number of articles that a document lists.
  public var articlesPerFeed: Int
  /// Equal seeds give equal documents.
  public var seed: UInt64
  /// The number of host names of the feeds, so that limits per host do not treat them as one host.
  public var hosts: Int
  /// The first half of every host's address.
  public var network = "127.0"
  /// The formats, used in turn.
  public var formats = Format.allCases
  /// The number of feeds of which one has news in generation 1.
  public var newsEvery = 5

  /// - Parameter hosts: If `nil`, one for four feeds, 250 at most.
  public init(feeds: Int, articlesPerFeed: Int = 20, seed: UInt64 = 1, hosts: Int? = nil) {
    self.feeds = feeds
    self.articlesPerFeed = articlesPerFeed
    self.seed = seed
    self.hosts = max(1, hosts ?? min(250, (feeds + 3) / 4))
  }

  // MARK: Where and what

  /// Returns the path at the feed's host, whose ending names the format.
  public func path(_ feed: Int) -> String {
    "/feed/\(feed)." + ["rss", "atom", "rdf", "json"][format(feed).rawValue]
  }

  /// Returns a name of the loopback network: 127.0.0.1, 127.0.0.2, …
  public func host(_ feed: Int) -> String {
    let number = feed % hosts
    return "\(network).\(number / 250).\(number % 250 + 1)"
  }

  /// Returns the format of a feed's documents.
  public func format(_ feed: Int) -> Format { formats[feed % formats.count] }
  /// Returns a title that begins with the feed's number, in the script of the feed.
  public func title(_ feed: Int) -> String {
    var random = Self.random(seed, feed)
    return "\(feed) \(script(feed).words(2, &random))"
  }
  /// Returns true if the feed has new articles in later generations.
  public func hasNews(_ feed: Int) -> Bool { feed % newsEvery == 2 }

  /// Returns the number of articles that a feed has shown up to a generation.
  public func articleCount(_ feed: Int, generation: Int = 0) -> Int {
    articlesPerFeed + (hasNews(feed) ? generation * Self.newsPerGeneration : 0)
  }

  /// Articles that a feed with news gets in each generation.
  public static let newsPerGeneration = 3

  /// Returns the whole list in 20 folders, as OPML 2.0 (every feed at `port` of its host).
  public func opml(port: Int) -> String {
    var out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opml version=\"2.0\">\n"
    out += "<head><title>Corpus</title></head>\n<body>\n"
    let folders = min(20, feeds)
    for folder in 0..<folders {
      out += "<outline text=\"Folder \(folder + 1)\">\n"
      for feed in stride(from: folder, to: feeds, by: folders) {
        out += "  <outline type=\"rss\" text=\"\(Self.escape(title(feed)))\""
        out += " xmlUrl=\"\(url(feed, port: port))\"/>\n"
      }
      out += "</outline>\n"
    }
    return out + "</body>\n</opml>\n"
  }

  /// - Parameter port: The same for every host.
  public func url(_ feed: Int, port: Int) -> String {
    "http://\(host(feed)):\(port)\(path(feed))"
  }

  // MARK: Serving

  /// The served generation, which may be changed at any time.
  public final class Stage: Sendable {
    private let value = Mutex(0)
    private let cache = Mutex<[Int: Document]>([:])

    /// Makes a stage at generation 0.
    public init() {}

    /// The served generation; setting it discards the documents that were made.
    public var generation: Int {
      get { value.withLock { $0 } }
      set {
        value.withLock { $0 = newValue }
        cache.withLock { $0 = [:] }
      }
    }

    /// Makes every document of this generation now, so that no measurement includes it.
    public func prepare(_ corpus: Corpus) {
      for feed in 0..<corpus.feeds { _ = document(feed, of: corpus) }
    }

    /// Returns a document, which is made once in each generation.
    public func document(_ feed: Int, of corpus: Corpus) -> Document {
      if let known = cache.withLock({ $0[feed] }) { return known }
      let made = corpus.document(feed, generation: generation)
      cache.withLock { $0[feed] = made }
      return made
    }
  }

  /// Serves every feed on an origin that listens on 0.0.0.0, compressed, with validators and 304s.
  /// - Parameter think: Seconds before each answer of a host (by number); infinite if it never
  /// answers.
  @discardableResult public func serve(
    on origin: Origin, think: @escaping @Sendable (_ host: Int) -> Double = { _ in 0 }
  ) -> Stage {
    let stage = Stage()
    origin.on("/feed/") { request in
      let name = request.path.dropFirst("/feed/".count).prefix { $0 != "." }
      guard let feed = Int(name), (0..<feeds).contains(feed) else { return .status(404) }
      let document = stage.document(feed, of: self)
      let reply = Reply.document(
        document.body, etag: document.etag, lastModified: document.lastModified,
        isGzipped: feed % 3 != 0, type: document.contentType, to: request)
      let pause = think(feed % hosts)
      if pause == .infinity { return .hang }
      return pause > 0 ? reply.after(pause) : reply
    }
    return stage
  }

  // MARK: A document

  /// Returns the document of a feed in a generation.
  public func document(_ feed: Int, generation: Int = 0) -> Document {
    let age = hasNews(feed) ? generation : 0
    let count = articleCount(feed, generation: generation)
    // Newest first; a feed shows at most what it showed at the start.
    let articles = stride(from: count - 1, through: max(0, count - articlesPerFeed), by: -1)
      .map { article($0, of: feed) }
    let updated = articles.first?.date ?? CorpusDate(seconds: Self.epoch)
    return Document(
      body: Array(render(feed, articles, updated).utf8),
      contentType: [
        "application/rss+xml", "application/atom+xml", "application/rdf+xml",
        "application/feed+json",
      ][format(feed).rawValue], etag: feed % 2 == 0 ? "\"\(feed)-\(age)\"" : "W/\"\(feed):\(age)\"",
      lastModified: updated.rfc822)
  }

  /// 1 January 2024.
  private static let epoch = 1_704_067_200

  private static func random(_ seed: UInt64, _ feed: Int, _ article: Int = -1) -> CorpusRandom {
    CorpusRandom(
      state: seed &* 0x9E37_79B9 &+ UInt64(feed) &* 1_000_003 &+ UInt64(article + 1) &* 7_919)
  }

  private func script(_ feed: Int) -> CorpusScript {
    CorpusScript.all[(feed / 4) % CorpusScript.all.count]
  }

  /// An article's content, independent of the format.
  public struct Article: Sendable {
    /// The item's identity, a tag URI (RFC 4151).
    public var id: String
    /// Plain text, with the article's number at its end.
    public var title: String
    /// Paragraphs, some with links, lists and code.
    public var html: String
    /// A name of two words.
    public var author: String
    /// A single word.
    public var tag: String
    var date: CorpusDate
    /// True for one article in ten.
    public var hasEnclosure: Bool
  }

  /// - Parameter index: The number from 0, the oldest.
  public func article(_ index: Int, of feed: Int) -> Article {
    var random = Self.random(seed, feed, index)
    let script = script(feed)
    var html = ""
    for paragraph in 0..<(2 + random.below(4)) {
      html += "<p>\(script.words(20 + random.below(40), &random))"
      if paragraph == 0 {
        html += " <a href=\"/about/\(index)\">\(script.words(2, &random))</a>"
      }
      html += "</p>\n"
    }
    if random.below(3) == 0 {
      html += "<ul>"
      for _ in 0..<3 { html += "<li>\(script.words(4, &random)) &amp; more</li>" }
      html += "</ul>"
    }
    if random.below(4) == 0 { html += "<pre><code>let weir = \(index) &lt; 9</code></pre>" }
    return Article(
      id: "tag:example.org,2024:\(feed)/\(index)",
      title: "\(script.words(3 + random.below(5), &random)) \(index)",
      html: html, author: script.words(2, &random), tag: script.words(1, &random),
      date: CorpusDate(seconds: Self.epoch + index * 21_600 + random.below(7_200)),
      hasEnclosure: random.below(10) == 0)
  }

  private func render(_ feed: Int, _ articles: [Article], _ updated: CorpusDate) -> String {
    let title = title(feed)
    let home = "http://\(host(feed))/"
    switch format(feed) {
    case .rss: return CorpusFormat.rss(title, home, articles)
    case .atom: return CorpusFormat.atom(title, home, articles, updated)
    case .rdf: return CorpusFormat.rdf(title, home, articles)
    case .json: return CorpusFormat.json(title, home, articles)
    }
  }

  static func escape(_ text: String) -> String {
    var out = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": out += "&amp;"
      case "<": out += "&lt;"
      case ">": out += "&gt;"
      case "\"": out += "&quot;"
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out
  }
}

/// SplitMix64: small, fast, the same everywhere.
struct CorpusRandom {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
}
