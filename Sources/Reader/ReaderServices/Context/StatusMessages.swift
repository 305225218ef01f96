package struct StatusMessage: Equatable {
  package enum Kind: Equatable {
    /// A message that disappears with the next key.
    case note
    /// A failure that disappears after the next key; `details` is a command that explains it.
    case failure(retry: RefreshScope?, details: Command?)
  }
  /// The subject of a failure. The message disappears when the failure is over.
  package enum Topic: Equatable {
    case feeds([FeedID])
    case account(AccountID)
    case action(Command)
    case configuration
  }
  package var text: String
  package var kind: Kind
  /// `nil` if the end of the failure is not reported.
  var topic: Topic?

  static func note(_ text: String) -> StatusMessage {
    StatusMessage(text: text, kind: .note)
  }
  package static func failure(
    _ text: String, retry: RefreshScope? = nil, details: Command? = nil, about topic: Topic? = nil
  ) -> StatusMessage {
    StatusMessage(text: text, kind: .failure(retry: retry, details: details), topic: topic)
  }
}

/// The text of the status line: one message at a time. A note hides an earlier failure.
package final class StatusMessages {
  private var note: String?
  private var failure: StatusMessage?
  private var result: String?
  private var isUndrawn = false
  private var seen: StatusMessage?

  package var current: StatusMessage? { note.map(StatusMessage.note) ?? failure }
  /// The scope that `r` refreshes again while a failure is shown.
  package var retryScope: RefreshScope? {
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

  /// Keeps the message after the next key, because no frame has shown it yet.
  package func showUntilNextKey() { isUndrawn = current != nil }

  /// Clears a note that was on screen when a key was pressed. A failure stays until `keyHandled`,
  /// since the message may offer this key.
  package func keyPressed() -> Bool {
    defer { isUndrawn = false }
    seen = nil
    guard !isUndrawn else { return false }
    guard note != nil else {
      seen = failure
      return false
    }
    note = nil
    return true
  }

  /// Clears the failure that was on screen when the key was pressed; `false` if there was none.
  package func keyHandled() -> Bool {
    defer { seen = nil }
    guard let seen, failure == seen else { return false }
    failure = nil
    return true
  }

  /// Shows the result of a refresh until the next key or `hideResult`.
  package func show(result text: String) {
    note = text
    result = text
  }

  /// Returns `false` if the result is no longer shown.
  package func hideResult() -> Bool {
    guard let result, note == result else { return false }
    note = nil
    return true
  }

  /// Replaces another failure of the same topic. Returns `false` if there is none.
  package func update(_ message: StatusMessage) -> Bool {
    guard failure?.topic == message.topic, failure != message else { return false }
    failure = message
    return true
  }

  /// Dismisses the failure if its cause is over. Returns `false` if none was dismissed.
  func clearFailure(where isOver: (StatusMessage.Topic) -> Bool) -> Bool {
    guard let topic = failure?.topic, isOver(topic) else { return false }
    failure = nil
    return true
  }

  /// Returns `false` if there was no message.
  package func dismiss() -> Bool {
    guard failure != nil || note != nil else { return false }
    (note, failure) = (nil, nil)
    return true
  }
}

extension Remedy {
  /// The command that carries out the remedy.
  package var bestCommand: Command {
    switch self {
    case .wait, .leaveAlone, .mendSource, .examineCache: .refresh
    case .signIn, .editAddress, .chooseHeadlines, .useNewAddress: .edit
    case .unsubscribe: .delete
    }
  }
}
