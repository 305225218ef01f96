public import FeedModel

/// The content of a pack, as typed.
public nonisolated struct PackWish: Sendable, Equatable {
  /// Hours of reading.
  public var hours: String
  /// "200M".
  public var budget: String
  /// "07:40"; "" for no time.
  public var by = ""
  /// A search; "": starred unread articles, then all unread ones.
  public var query = ""
  /// Also the pages on which the articles are discussed.
  public var discussions = false
  /// Also the articles' sound.
  public var audio = false
  /// The assumed network; `nil` for the measured one.
  public var network: PackNetwork?

  package init(
    hours: String, budget: String, by: String = "", query: String = "", discussions: Bool = false,
    audio: Bool = false, network: PackNetwork? = nil
  ) {
    self.hours = hours
    self.budget = budget
    self.by = by
    self.query = query
    self.discussions = discussions
    self.audio = audio
    self.network = network
  }
}
