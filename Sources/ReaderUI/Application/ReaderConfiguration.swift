public import Foundation

/// What a user can set about the screens. Values only; files are read by the program around it.
public nonisolated struct ReaderConfiguration: Sendable {
  /// Command name → key sequences; see `Keymap`.
  public var keys: [String: [String]]
  /// The theme's name; unknown ones fall back to "default".
  public var theme: String
  /// The widest line of an article, in columns.
  public var textWidth: Int
  public var timeZone: TimeZone
  /// The address of the bundled guide's feed: subscriptions that hold no other are a first start.
  public var guideURL: String?
  /// Whether the mouse is listened to at all is the terminal's affair; this is rows per wheel step.
  public var wheelRows: Int

  public init(
    keys: [String: [String]] = [:], theme: String = "default", textWidth: Int = 80,
    timeZone: TimeZone = .current, guideURL: String? = nil, wheelRows: Int = 3
  ) {
    self.keys = keys
    self.theme = theme
    self.textWidth = max(20, textWidth)
    self.timeZone = timeZone
    self.guideURL = guideURL
    self.wheelRows = max(1, wheelRows)
  }
}
