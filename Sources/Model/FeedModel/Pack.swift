public import Foundation

/// Articles prepared for offline reading: their texts, then their pictures, and on request their
/// discussion pages and audio.
public struct Pack: Sendable, Equatable, Identifiable {
  /// Kinds of content, in the order in which they are fetched.
  public enum Stage: Int, Sendable, CaseIterable {
    case text = 0
    case picture = 1
    case discussion = 2
    case audio = 3

    /// Stages that an article needs to be readable offline.
    public static let neededToRead: [Stage] = [.text, .picture]

    /// Expected bytes of one part before the first measurement.
    public var usualSize: Int64 {
      switch self {
      case .text: 90_000
      case .picture: 150_000
      case .discussion: 120_000
      case .audio: 30_000_000
      }
    }

    /// Expected bytes of one part, from earlier packs and ten parts of the usual size.
    public func size(in packs: [Pack]) -> Int64 {
      let bytes = packs.reduce(10 * usualSize) { $0 + $1[self].bytes }
      return bytes / Int64(packs.reduce(10) { $0 + $1[self].done })
    }
  }

  /// The reason that fetching ended; stored as text.
  public enum End: String, Sendable, CaseIterable {
    /// All available content is fetched, and no articles are left.
    case complete
    /// The requested reading time is reached.
    case minutes
    case budget
    case stopped
    case diskFull
  }

  /// The progress of one stage.
  public struct Progress: Sendable, Equatable {
    public var waiting = 0
    public var done = 0
    public var failed = 0
    public var leftOut = 0
    /// Bytes on the wire of finished parts.
    public var bytes: Int64 = 0
    /// Bytes on the wire of all parts, including failed ones.
    public var received: Int64 = 0
    /// Time in which `received` arrived.
    public var time = Duration.zero
    public init() {}
    public var total: Int { waiting + done + failed + leftOut }
  }

  /// Articles that join the pack if the chosen articles take less than expected.
  public struct Reserve: Sendable, Equatable {
    public var minutes = 0
    public var texts = 0
    public var pictures = 0
    public init() {}
  }

  public var id: Int64
  /// The query that selected the articles; empty for those kept for later, then starred unread
  /// ones, then other unread ones.
  public var query: String
  public var minutes: Int
  /// Bytes on the wire that may be used.
  public var budget: Int64
  /// The requested time of completion, if any.
  public var dueAt: Date?
  public var startedAt: Date
  /// The end of fetching; `nil` while the pack is open.
  public var endedAt: Date?
  /// The reason for the end; `nil` while the pack is open.
  public var end: End?
  /// Bytes on the wire, including an estimate of protocol overhead.
  public var received: Int64
  public var activeTime: Duration
  public var articles: Int
  public var chosenMinutes: Int
  /// Articles to add while the budget is not used up.
  public var reserve = Reserve()
  /// Mean number of pictures in fetched texts; `nil` before the first.
  public var picturesPerText: Double?
  /// Known pictures of articles whose text is not fetched yet.
  public var picturesOfWaiting = 0
  /// Minutes of the articles that are complete offline.
  public var readableMinutes: Int
  /// The progress of each stage, indexed by `Stage.rawValue`.
  public var stages: [Progress]

  public init(
    id: Int64, query: String, minutes: Int, budget: Int64, dueAt: Date? = nil, startedAt: Date,
    endedAt: Date? = nil, end: End? = nil, received: Int64 = 0, activeTime: Duration = .zero,
    articles: Int = 0, chosenMinutes: Int = 0, readableMinutes: Int = 0, stages: [Progress] = []
  ) {
    self.id = id
    self.query = query
    self.minutes = minutes
    self.budget = budget
    self.dueAt = dueAt
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.end = end
    self.received = received
    self.activeTime = activeTime
    self.articles = articles
    self.chosenMinutes = chosenMinutes
    self.readableMinutes = readableMinutes
    self.stages = stages
  }

  public var isOpen: Bool { endedAt == nil }

  public subscript(stage: Stage) -> Progress {
    stages.indices.contains(stage.rawValue) ? stages[stage.rawValue] : Progress()
  }

  /// Number of parts still to fetch, in all stages.
  public var waiting: Int { stages.reduce(0) { $0 + $1.waiting } }
  public var failed: Int { stages.reduce(0) { $0 + $1.failed } }
  /// Number of parts that exceeded the budget, in all stages.
  public var leftOut: Int { stages.reduce(0) { $0 + $1.leftOut } }

  /// Mean bytes of one part, over the received parts and one part of the usual size.
  public func mean(_ stage: Stage) -> Int64 {
    (self[stage].bytes + stage.usualSize) / Int64(self[stage].done + 1)
  }

  /// Expected number of pictures beyond the known ones, from the mean of fetched texts.
  private func unknownPictures(texts: Int, known: Int) -> Int {
    max(0, Int((Double(texts) * (picturesPerText ?? 0)).rounded()) - known)
  }

  /// Expected bytes of an article that joins.
  /// - Parameter pictures: known pictures.
  public func expected(texts: Int, pictures: Int) -> Int64 {
    let unknown = unknownPictures(texts: texts, known: pictures)
    return mean(.text) * Int64(texts) + mean(.picture) * Int64(pictures + unknown)
  }

  /// Expected bytes of one stage, without articles that may still join.
  private func waitingBytes(_ stage: Stage) -> Int64 {
    var parts = self[stage].waiting
    if stage == .picture {
      parts += unknownPictures(texts: self[.text].waiting, known: picturesOfWaiting)
    }
    return mean(stage) * Int64(parts)
  }

  /// Expected bytes of articles that may still join, up to the requested minutes.
  private var joiningBytes: [(stage: Stage, bytes: Int64)] {
    let missing = minutes - chosenMinutes
    guard missing > 0, reserve.minutes > 0 else { return [] }
    let part = min(1, Double(missing) / Double(reserve.minutes))
    let unknown = unknownPictures(texts: reserve.texts, known: reserve.pictures)
    return [(.text, reserve.texts), (.picture, reserve.pictures + unknown)].map {
      ($0, Int64(part * Double($1) * Double(mean($0))))
    }
  }

  /// Expected bytes by stage, in order and within the budget.
  private var expectedBytes: [(stage: Stage, bytes: Int64)] {
    let needed = Stage.neededToRead
    let extras = Stage.allCases.filter { !needed.contains($0) }
    var left = max(0, budget - received)
    let wanted =
      needed.map { ($0, waitingBytes($0)) } + joiningBytes + extras.map { ($0, waitingBytes($0)) }
    return wanted.map { stage, bytes in
      let fits = min(bytes, left)
      left -= fits
      return (stage, fits)
    }
  }

  /// Expected bytes within the budget.
  public var expected: Int64 { expectedBytes.reduce(0) { $0 + $1.bytes } }

  /// The completed part of the pack, from 0 to 1.
  public var share: Double {
    guard isOpen else { return 1 }
    let all = Double(received + expected)
    guard all > 0 else { return waiting == 0 ? 1 : 0 }
    return Double(received) / all
  }

  /// Bytes per second of a stage, else of all stages; `nil` before the first measurement. Pictures
  /// arrive faster than pages.
  public func rate(_ stage: Stage) -> Double? {
    let (own, whole) = (self[stage].time / .seconds(1), activeTime / .seconds(1))
    if own > 0.2, self[stage].received > 0 { return Double(self[stage].received) / own }
    return whole > 0.2 && received > 0 ? Double(received) / whole : nil
  }

  /// The estimated time to the end; `nil` before the first measurement.
  public var timeLeft: Duration? {
    guard isOpen else { return .zero }
    var seconds = 0.0
    for (stage, bytes) in expectedBytes where bytes > 0 {
      guard let rate = rate(stage) else { return nil }
      seconds += Double(bytes) / rate
    }
    return .seconds(seconds)
  }

  /// Days for which unread articles of a pack are kept.
  public static let daysKept: Int64 = 14
}

/// An article for a new pack.
public struct PackArticle: Sendable, Equatable {
  public var id: ArticleID
  public var minutes: Int
  /// The page to fetch the text from; `nil` if the text is present.
  public var page: String?
  public var pictures: [String]
  /// The discussion page, if requested.
  public var discussion: String?
  public var audio: String?

  public init(
    id: ArticleID, minutes: Int, page: String? = nil, pictures: [String] = [],
    discussion: String? = nil, audio: String? = nil
  ) {
    self.id = id
    self.minutes = minutes
    self.page = page
    self.pictures = pictures
    self.discussion = discussion
    self.audio = audio
  }
}

/// The page on which an article is discussed, as it was when a pack was made.
public struct Discussion: Sendable, Equatable {
  public var url: String
  public var fetchedAt: Date
  /// The whole page as sanitised HTML.
  public var html: String

  public init(url: String, fetchedAt: Date, html: String) {
    self.url = url
    self.fetchedAt = fetchedAt
    self.html = html
  }
}

extension Article {
  private static var discussions: Regex<Substring> {
    /https:\/\/(?:news\.ycombinator\.com\/item\?id=\d+|lobste\.rs\/s\/[A-Za-z0-9_\/]+)/
  }

  /// Returns the discussion page that the feed names, else one that the text links to.
  /// - Parameter html: the text that is shown.
  public func discussionAddress(in html: String) -> String? {
    if let commentsURL { return commentsURL }
    if let url = row.url, url.contains(Self.discussions) { return url }
    return html.firstMatch(of: Self.discussions).map { String($0.output) }
  }
}

/// A kind of network, with its usual speed.
public enum PackNetwork: String, Sendable, CaseIterable {
  /// A mobile network of about 200 kbit/s.
  case edge
  /// A mobile network of about 1.5 Mbit/s.
  case threeG = "3g"
  /// A telephone line of about 16 Mbit/s.
  case dsl
  /// A network of 100 Mbit/s or more.
  case fibre

  /// Bytes a second.
  public var usualRate: Double {
    switch self {
    case .edge: 20_000
    case .threeG: 150_000
    case .dsl: 1_500_000
    case .fibre: 10_000_000
    }
  }

  /// True if a pack of the usual size takes minutes.
  public var isSlow: Bool { usualRate < 1_000_000 }

  /// Returns `nil` offline, or if the quality is unknown or sets no limit.
  public init?(_ quality: ConnectionQuality?) {
    switch quality {
    case .poor: self = .edge
    case .fair: self = .threeG
    case .good, .excellent, .offline, nil: return nil
    }
  }

  /// Returns the bytes that arrive until a time, within the budget.
  /// - Parameters:
  ///   - budget: bytes.
  ///   - dueAt: `nil` for no deadline.
  public func fits(_ budget: Int64, until dueAt: Date?, from now: Date) -> Int64 {
    guard let dueAt else { return budget }
    return min(budget, max(10_000, Int64(dueAt.timeIntervalSince(now) * usualRate)))
  }
}
