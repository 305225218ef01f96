import FeedModel

/// One sentence for the status line.
struct StatusMessage: Equatable {
  enum Kind: Equatable {
    /// Disappears with the next key.
    case note
    /// Stays until it is dismissed, retried or replaced.
    /// `details` shows more about it.
    case failure(retry: RefreshScope?, details: Command?)
  }
  /// What a failure tells of: when that is over, so is the message.
  enum Topic: Equatable {
    /// They do not come through.
    case feeds([FeedID])
    case account(AccountID)
    /// What a command was to do.
    case action(Command)
    case configuration
  }
  var text: String
  var kind: Kind
  /// Nil: its end is not reported.
  var topic: Topic?

  static func note(_ text: String) -> StatusMessage { StatusMessage(text: text, kind: .note) }
  static func failure(
    _ text: String, retry: RefreshScope? = nil, details: Command? = nil, about topic: Topic? = nil
  ) -> StatusMessage {
    StatusMessage(text: text, kind: .failure(retry: retry, details: details), topic: topic)
  }
}

/// What the status line has to say; one message at a time, a failure before a note.
final class StatusMessages {
  private var note: String?
  private var failure: StatusMessage?
  private var result: String?
  /// The note is not on the screen yet.
  private var isNoteUndrawn = false

  var current: StatusMessage? { note.map(StatusMessage.note) ?? failure }
  /// What `r` tries again while a failure is shown.
  var retryScope: RefreshScope? {
    guard case .failure(let scope, _) = current?.kind else { return nil }
    return scope
  }

  func show(_ message: StatusMessage) {
    switch message.kind {
    case .note: note = message.text
    case .failure:
      note = nil
      failure = message
    }
  }

  /// The next key does not clear the note: its frame is the first that shows it.
  func keepForNextKey() { isNoteUndrawn = note != nil }

  /// A key was pressed: notes that were on the screen have been read.
  func keyPressed() -> Bool {
    defer { isNoteUndrawn = false }
    guard note != nil, !isNoteUndrawn else { return false }
    note = nil
    return true
  }

  /// Shows what a refresh came to, until the next key or `hideResult`.
  func show(result text: String) {
    note = text
    result = text
  }

  /// False if it is no longer shown.
  func hideResult() -> Bool {
    guard let result, note == result else { return false }
    note = nil
    return true
  }

  /// Dismisses the failure if its cause is over. False if none went.
  func settle(_ isOver: (StatusMessage.Topic) -> Bool) -> Bool {
    guard let topic = failure?.topic, isOver(topic) else { return false }
    failure = nil
    return true
  }

  /// Dismisses the failure. False if there was none.
  func dismiss() -> Bool {
    guard failure != nil || note != nil else { return false }
    (note, failure) = (nil, nil)
    return true
  }
}
