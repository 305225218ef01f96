/// The user's reading: what is kept for later or hidden until a time, saved pages, reading
/// positions and times, the daily page.
public struct PlanCache: CacheFacet {
  public let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }

  /// Words that the user reads in a minute.
  private var speed: Int { database.options.wordsPerMinute }

  /// Returns the minutes that a text takes; 0 for no words, which means that they are unknown.
  public func minutes(ofWords words: Int) -> Int {
    ReadingTime.minutes(ofWords: words, speed: speed)
  }

  /// Returns the minutes that are left of an article that was begun; `nil` for others.
  public func left(ofWords words: Int, seen: Double?) -> Int? {
    ReadingTime.left(ofWords: words, seen: seen, speed: speed)
  }
}
