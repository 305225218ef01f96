public import Foundation

/// Articles that are made ready for a time without a network: their texts, then their pictures, and
/// where the user wants them the pages on which they are discussed, and their sound.
public struct Pack: Sendable, Equatable, Identifiable {
  /// What is fetched, in this order.
  public enum Stage: Int, Sendable, CaseIterable {
    /// The articles' full texts.
    case text = 0
    /// The pictures of these texts.
    case picture = 1
    /// The pages on which the articles are discussed.
    case discussion = 2
    /// The articles' files of sound.
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
    /// Everything that could be fetched is there.
    case complete
    /// The budget is used up.
    case budget
    /// The user stopped it, or began another one.
    case stopped
    /// The disk is full.
    case diskFull
  }

  /// The progress of one stage.
  public struct Progress: Sendable, Equatable {
    /// Still to be fetched.
    public var waiting = 0
    /// Fetched and stored.
    public var done = 0
    /// Could not be fetched.
    public var failed = 0
    /// Did not fit into the budget.
    public var leftOut = 0
    /// Bytes on the wire of those that are done.
    public var bytes: Int64 = 0
    /// Nothing is there yet.
    public init() {}
    /// The sum of the four states.
    public var total: Int { waiting + done + failed + leftOut }
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
  /// When the user asked for it.
  public var startedAt: Date
  /// When nothing more was fetched for it; nil: it is open.
  public var endedAt: Date?
  /// Why nothing more is fetched; nil: it is open.
  public var end: End?
  /// Bytes on the wire, with an allowance for what the network adds to them.
  public var received: Int64
  /// Time during which something of the last stage was fetched.
  public var activeTime: Duration
  /// How many were chosen, ready or not.
  public var articles: Int
  /// Minutes of the articles that can be read completely without a network.
  public var readableMinutes: Int
  /// The progress of each stage, by `Stage.rawValue`.
  public var stages: [Progress]

  /// A pack for which nothing was fetched yet, unless something else is given.
  public init(
    id: Int64, query: String, minutes: Int, budget: Int64, dueAt: Date? = nil, startedAt: Date,
    endedAt: Date? = nil, end: End? = nil, received: Int64 = 0, activeTime: Duration = .zero,
    articles: Int = 0, readableMinutes: Int = 0, stages: [Progress] = []
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
    self.readableMinutes = readableMinutes
    self.stages = stages
  }

  /// Something may still be fetched.
  public var isOpen: Bool { endedAt == nil }

  /// The progress of a stage; nothing where it has none.
  public subscript(stage: Stage) -> Progress {
    stages.indices.contains(stage.rawValue) ? stages[stage.rawValue] : Progress()
  }

  /// What is still to be fetched, of all stages.
  public var waiting: Int { stages.reduce(0) { $0 + $1.waiting } }
  /// What could not be fetched, of all stages.
  public var failed: Int { stages.reduce(0) { $0 + $1.failed } }
  /// What did not fit into the budget, of all stages.
  public var leftOut: Int { stages.reduce(0) { $0 + $1.leftOut } }

  /// Bytes that are still to come, as far as the budget allows: by the mean of what has come and
  /// one of the usual size.
  public var expected: Int64 {
    let wanted = Stage.allCases.reduce(Int64(0)) { sum, stage in
      let progress = self[stage]
      let mean = (progress.bytes + stage.usualSize) / Int64(progress.done + 1)
      return sum + mean * Int64(progress.waiting)
    }
    return min(wanted, max(0, budget - received))
  }

  /// The part of the pack that is done, from 0 to 1.
  public var share: Double {
    guard isOpen else { return 1 }
    let all = Double(received + expected)
    guard all > 0 else { return waiting == 0 ? 1 : 0 }
    return Double(received) / all
  }

  /// Bytes a second of the stage that is under way: pictures come faster than pages, of which each
  /// is read. Nil: nothing was measured yet.
  public var rate: Double? {
    let seconds = activeTime / .seconds(1)
    guard let stage = Stage.allCases.first(where: { self[$0].waiting > 0 }), self[stage].bytes > 0,
      seconds > 0.2
    else { return nil }
    return Double(self[stage].bytes) / seconds
  }

  /// The time until everything is there; nil: nothing was measured yet.
  public var timeLeft: Duration? {
    guard isOpen else { return .zero }
    return rate.map { .seconds(Double(expected) / $0) }
  }

  /// Days for which its articles are kept, unless they are read before.
  public static let daysKept: Int64 = 14
}

/// One article of a pack that is to be made.
public struct PackArticle: Sendable, Equatable {
  /// The article's key.
  public var id: ArticleID
  /// To read it.
  public var minutes: Int
  /// The page whose text is to be fetched; nil: the text is there.
  public var page: String?
  /// Addresses of its pictures, as far as its text is there.
  public var pictures: [String]
  /// The page on which it is discussed, if that is wanted.
  public var discussion: String?
  /// Its sound, if that is wanted.
  public var audio: String?

  /// - Parameter minutes: to read the article.
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
