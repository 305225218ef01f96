package import FeedModel

package struct StatusMessage: Equatable {
  package enum Kind: Equatable {
    /// Disappears with the next key.
    case note
    /// Offers keys, and disappears after the next one. `details` shows more about it.
    case failure(retry: RefreshScope?, details: Command?)
  }
  /// The subject of a failure: the message disappears when the failure is over.
  package enum Topic: Equatable {
    case feeds([FeedID])
    case account(AccountID)
    case action(Command)
    case configuration
  }
  package var text: String
  package var kind: Kind
  /// `nil` if its end is not reported.
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

/// The text of the status line: one message at a time, a failure before a note.
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

  /// The next key does not clear the message: its frame is the first that shows it.
  package func keepForNextKey() { isUndrawn = current != nil }

  /// Clears a note that was on the screen when a key was pressed. A failure stays until
  /// `keyHandled`: the key may be one that it offers.
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

  /// Clears the failure that was on the screen when the key was pressed; `false` if there was none.
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

  /// Returns `false` if it is no longer shown.
  package func hideResult() -> Bool {
    guard let result, note == result else { return false }
    note = nil
    return true
  }

  /// Replaces a failure of the same topic. False if there is none, or it says the same.
  package func update(_ message: StatusMessage) -> Bool {
    guard failure?.topic == message.topic, failure != message else { return false }
    failure = message
    return true
  }

  /// Dismisses the failure if its cause is over; `false` if none was dismissed.
  func settle(_ isOver: (StatusMessage.Topic) -> Bool) -> Bool {
    guard let topic = failure?.topic, isOver(topic) else { return false }
    failure = nil
    return true
  }

  /// Dismisses the failure; `false` if there was none.
  package func dismiss() -> Bool {
    guard failure != nil || note != nil else { return false }
    (note, failure) = (nil, nil)
    return true
  }
}
