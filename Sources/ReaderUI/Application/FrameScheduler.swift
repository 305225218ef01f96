/// Decides what is drawn now, what after the next key, and what later.
///
/// A pure value: events and their times go in, actions come out, and `wake` says when to ask again.
/// Times are measured from any fixed moment.
nonisolated struct FrameScheduler: Sendable {
  enum Event: Sendable {
    /// Keys were handled; their frame follows.
    case keys
    /// Something in the cache has changed.
    case change
    /// A write that a key asked for has ended.
    case written
    /// A frame was drawn.
    case frame
    /// The changes are being delivered to the screens.
    case delivering
    /// The screens have taken them.
    case delivered
    /// What was read in the background because of a change has been applied.
    case backgroundRead
    /// A key sequence is complete but could go on, or none is.
    case chord(isWaiting: Bool)
    /// A number was typed that means something by itself.
    case number(canGrow: Bool)
    /// The result of a refresh is shown.
    case result
    /// The reading pane shows another article than the one selected.
    case selection
    /// The time that `wake` named has come.
    case wake
  }

  enum Action: Sendable {
    /// Draw what has changed on the screens.
    case draw
    /// Deliver the changes of the cache to the screens, then draw.
    case deliver
    /// Deliver the changes without drawing: the next key's frame shows them, or `.draw` when no key
    /// comes.
    case deliverUndrawn
    /// The key sequence is taken as it is.
    case endChord
    /// The result of a refresh is hidden.
    case hideResult
    /// Show the selected article in the reading pane.
    case preview
  }

  /// For so long after a key only its own frame is drawn.
  static let keyPause = Duration.milliseconds(100)
  /// Changes that wait longer than this while keys keep coming are delivered right after a key's
  /// frame, when the next key is farthest away. The next key's frame shows them.
  static let longestWait = Duration.milliseconds(500)
  /// Changes that no key has caused are delivered at most this often.
  static let quietInterval = Duration.milliseconds(100)
  /// A change that comes this soon after a write is taken for its effect, and drawn at once.
  static let answerPause = Duration.milliseconds(50)
  /// The reading pane follows the selection when no key has come for this long: longer than the
  /// interval between the repeats of a held key (33 ms at 30 a second).
  static let previewPause = Duration.milliseconds(42)
  /// How long a complete key sequence that could go on waits for another key.
  static let chordPause = Duration.milliseconds(500)
  /// How long a number waits that another digit would change: typing a digit may take a while.
  static let numberPause = Duration.milliseconds(1_000)
  /// How long the result of a refresh is shown.
  static let resultPause = Duration.seconds(8)

  private var hasChanges = false
  private var hasUndrawn = false
  private var keysRestAt = Duration.zero
  private var quietUntil = Duration.zero
  private var answerUntil = Duration.zero
  private var lateAt: Duration?
  private var chordEndsAt: Duration?
  private var resultEndsAt: Duration?
  private var lastKey = Duration.zero - FrameScheduler.previewPause
  private var previewAt: Duration?

  /// When `.wake` is due; nil: nothing waits for time to pass.
  var wake: Duration? {
    [
      hasChanges ? changesDueAt : nil, hasUndrawn ? keysRestAt : nil, chordEndsAt, resultEndsAt,
      previewAt,
    ].compactMap { $0 }.min()
  }

  private var changesDueAt: Duration { max(quietUntil, keysRestAt) }

  /// Takes an event; returns what is to be done now, in this order.
  mutating func apply(_ event: Event, at now: Duration) -> [Action] {
    switch event {
    case .keys:
      keysRestAt = now + Self.keyPause
      lastKey = now
      if previewAt != nil { previewAt = now + Self.previewPause }
    case .change: return changed(now)
    case .written:
      answerUntil = now + Self.answerPause
      return [hasChanges ? .deliver : .draw]
    case .frame:
      hasUndrawn = hasChanges && lateAt.map { $0 <= now } == true
      return hasUndrawn ? [.deliverUndrawn] : []
    case .delivering: (hasChanges, lateAt) = (false, nil)
    case .delivered: quietUntil = now + Self.quietInterval
    case .backgroundRead:
      hasUndrawn = keysRestAt > now
      return hasUndrawn ? [] : [.draw]
    case .number(let canGrow):
      chordEndsAt = now + (canGrow ? Self.numberPause : Self.chordPause)
    case .chord(let isWaiting): chordEndsAt = isWaiting ? now + Self.chordPause : nil
    case .selection: previewAt = previewAt ?? max(now, lastKey + Self.previewPause)
    case .result: resultEndsAt = now + Self.resultPause
    case .wake: return woken(now)
    }
    return []
  }

  private mutating func changed(_ now: Duration) -> [Action] {
    hasChanges = true
    lateAt = lateAt ?? max(now, quietUntil) + Self.longestWait
    guard answerUntil > now else { return changesDueAt <= now ? [.deliver] : [] }
    answerUntil = .zero
    return [.deliver]
  }

  private mutating func woken(_ now: Duration) -> [Action] {
    var actions: [Action] = []
    if let end = chordEndsAt, end <= now {
      chordEndsAt = nil
      actions.append(.endChord)
    }
    if let end = resultEndsAt, end <= now {
      resultEndsAt = nil
      actions.append(.hideResult)
    }
    if hasChanges, changesDueAt <= now {
      actions.append(.deliver)
    } else if hasUndrawn, keysRestAt <= now {
      actions.append(.draw)
    }
    if let end = previewAt, end <= now {
      previewAt = nil
      actions.append(.preview)
    }
    return actions
  }
}
