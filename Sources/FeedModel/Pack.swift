public import Foundation

/// Articles that are made ready for reading offline: their texts, then their pictures, and
/// where the user wants them the pages on which they are discussed, and their sound.
public struct Pack: Sendable, Equatable, Identifiable {
  /// What is fetched, in this order.
  public enum Stage: Int, Sendable, CaseIterable {
    case text = 0
    case picture = 1
    case discussion = 2
    case audio = 3

    /// An article that has everything of these stages can be read without a network.
    public static let neededToRead: [Stage] = [.text, .picture]

    /// Bytes of one that are expected before any was measured.
    public var usualSize: Int64 {
      switch self {
      case .text: 90_000
      case .picture: 150_000
      case .discussion: 120_000
      case .audio: 30_000_000
      }
    }

    /// Bytes of one that are expected after earlier packs, with ten of the usual size.
    public func size(in packs: [Pack]) -> Int64 {
      let bytes = packs.reduce(10 * usualSize) { $0 + $1[self].bytes }
      return bytes / Int64(packs.reduce(10) { $0 + $1[self].done })
    }
  }

  /// Why nothing more is fetched; stored as text.
  public enum End: String, Sendable, CaseIterable {
    /// Everything that could be fetched is there, and there are no more articles to take.
    case complete
    /// There is as much to read as was wanted.
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
    /// Bytes on the wire of those that are done.
    public var bytes: Int64 = 0
    /// Bytes on the wire of all, also of those that failed.
    public var received: Int64 = 0
    /// Time during which `received` came.
    public var time = Duration.zero
    public init() {}
    public var total: Int { waiting + done + failed + leftOut }
  }

  /// Articles that join the pack when those before them took less than was expected.
  public struct Reserve: Sendable, Equatable {
    public var minutes = 0
    public var texts = 0
    public var pictures = 0
    public init() {}
  }

  /// The key of its row in the cache.
  public var id: Int64
  /// What the articles were taken from; "": starred unread ones, then unread ones.
  public var query: String
  /// Minutes of reading that were asked for.
  public var minutes: Int
  /// Bytes on the wire that may be used.
  public var budget: Int64
  /// When it is to be ready; nil: some time.
  public var dueAt: Date?
  public var startedAt: Date
  /// When nothing more was fetched for it; nil: it is open.
  public var endedAt: Date?
  /// Why nothing more is fetched; nil: it is open.
  public var end: End?
  /// Bytes on the wire, with an allowance for what the network adds to them.
  public var received: Int64
  public var activeTime: Duration
  public var articles: Int
  /// Minutes of all that were chosen.
  public var chosenMinutes: Int
  /// The articles in reserve, which are taken while the budget is not used up.
  public var reserve = Reserve()
  /// Pictures of one text, in those that were fetched; nil: none was.
  public var picturesPerText: Double?
  /// Pictures that are known of articles whose text is still to be fetched.
  public var picturesOfWaiting = 0
  /// Minutes of the articles that can be read completely without a network.
  public var readableMinutes: Int
  /// The progress of each stage, by `Stage.rawValue`.
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

  /// The progress of a stage; nothing where it has none.
  public subscript(stage: Stage) -> Progress {
    stages.indices.contains(stage.rawValue) ? stages[stage.rawValue] : Progress()
  }

  /// What is still to be fetched, of all stages.
  public var waiting: Int { stages.reduce(0) { $0 + $1.waiting } }
  public var failed: Int { stages.reduce(0) { $0 + $1.failed } }
  /// What did not fit into the budget, of all stages.
  public var leftOut: Int { stages.reduce(0) { $0 + $1.leftOut } }

  /// Bytes of one part: the mean of what has come and one of the usual size.
  public func mean(_ stage: Stage) -> Int64 {
    (self[stage].bytes + stage.usualSize) / Int64(self[stage].done + 1)
  }

  /// Pictures that so many texts have beyond those that are known, by the texts that were fetched.
  private func unknownPictures(texts: Int, known: Int) -> Int {
    max(0, Int((Double(texts) * (picturesPerText ?? 0)).rounded()) - known)
  }

  /// Bytes of an article that is still to join.
  /// - Parameter pictures: those that are known.
  public func expected(texts: Int, pictures: Int) -> Int64 {
    let unknown = unknownPictures(texts: texts, known: pictures)
    return mean(.text) * Int64(texts) + mean(.picture) * Int64(pictures + unknown)
  }

  /// Bytes that are still to come of one stage, without what joins.
  private func waitingBytes(_ stage: Stage) -> Int64 {
    var parts = self[stage].waiting
    if stage == .picture {
      parts += unknownPictures(texts: self[.text].waiting, known: picturesOfWaiting)
    }
    return mean(stage) * Int64(parts)
  }

  /// Bytes of the articles that are still to join, as far as their minutes are wanted.
  private var joiningBytes: [(stage: Stage, bytes: Int64)] {
    let missing = minutes - chosenMinutes
    guard missing > 0, reserve.minutes > 0 else { return [] }
    let part = min(1, Double(missing) / Double(reserve.minutes))
    let unknown = unknownPictures(texts: reserve.texts, known: reserve.pictures)
    return [(.text, reserve.texts), (.picture, reserve.pictures + unknown)].map {
      ($0, Int64(part * Double($1) * Double(mean($0))))
    }
  }

  /// Bytes that are still to come by stage, in the order in which they come and as far as the
  /// budget allows.
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

  /// Bytes that are still to come, as far as the budget allows.
  public var expected: Int64 { expectedBytes.reduce(0) { $0 + $1.bytes } }

  /// The part of the pack that is done, from 0 to 1.
  public var share: Double {
    guard isOpen else { return 1 }
    let all = Double(received + expected)
    guard all > 0 else { return waiting == 0 ? 1 : 0 }
    return Double(received) / all
  }

  /// Bytes a second of a stage; of all where nothing of this one has come: pictures come faster
  /// than pages, of which each is read. Nil: nothing was measured yet.
  public func rate(_ stage: Stage) -> Double? {
    let (own, whole) = (self[stage].time / .seconds(1), activeTime / .seconds(1))
    if own > 0.2, self[stage].received > 0 { return Double(self[stage].received) / own }
    return whole > 0.2 && received > 0 ? Double(received) / whole : nil
  }

  /// The time until everything is there; nil: nothing was measured yet.
  public var timeLeft: Duration? {
    guard isOpen else { return .zero }
    var seconds = 0.0
    for (stage, bytes) in expectedBytes where bytes > 0 {
      guard let rate = rate(stage) else { return nil }
      seconds += Double(bytes) / rate
    }
    return .seconds(seconds)
  }

  /// Days for which its articles are kept, unless they are read before.
  public static let daysKept: Int64 = 14
}

/// One article of a pack that is to be made.
public struct PackArticle: Sendable, Equatable {
  public var id: ArticleID
  public var minutes: Int
  /// The page whose text is to be fetched; nil: the text is there.
  public var page: String?
  /// Addresses of its pictures, as far as its text is there.
  public var pictures: [String]
  /// The page on which it is discussed, if that is wanted.
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
