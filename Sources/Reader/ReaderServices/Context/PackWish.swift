public import FeedModel

/// The content of a pack, as typed.
public nonisolated struct PackWish: Sendable, Equatable {
  /// Hours of reading.
  public var hours: String
  /// The maximum size, such as "200M".
  public var budget: String
  /// The due time, such as "07:40"; empty if there is none.
  public var by = ""
  /// The search that selects the articles. If empty, articles kept for later come first, then
  /// starred unread ones, then other unread ones.
  public var query = ""
  /// True for the articles of the daily page instead of a search.
  public var takesDailyPage = false
  /// True to include the pages on which the articles are discussed.
  public var discussions = false
  /// True to include the audio of the articles.
  public var audio = false
  /// The assumed network; `nil` to use the measured one.
  public var network: PackNetwork?

  package init(
    hours: String, budget: String, by: String = "", query: String = "",
    takesDailyPage: Bool = false, discussions: Bool = false, audio: Bool = false,
    network: PackNetwork? = nil
  ) {
    self.hours = hours
    self.budget = budget
    self.by = by
    self.query = query
    self.takesDailyPage = takesDailyPage
    self.discussions = discussions
    self.audio = audio
    self.network = network
  }
}
