/// Decides which changes are drawn now, after the next key, or later. A pure value: it receives
/// events with their times, returns actions, and `wake` is the time of the next action. Times are
/// measured from any fixed moment.
package nonisolated struct FrameScheduler: Sendable {
  package enum Event: Sendable {
    case keys
    case change
    /// A write that a key requested has ended.
    case written
    case frame
    case delivering
    case delivered
    case backgroundRead
    case chord(isWaiting: Bool)
    /// The typed keys are the beginning of key sequences, but not a whole one.
    case prefix
    case number(canGrow: Bool)
    case result
    case selection
    case wake
  }

  package enum Action: Sendable {
    case draw
    case deliver
    /// Delivers the changes without drawing: the next key's frame shows them, or `.draw` if no key
    /// follows.
    case deliverUndrawn
    case endChord
    /// Shows the keys that may follow the typed ones.
    case showContinuations
    case hideResult
    case preview
  }

  /// Period after a key in which only the key's own frame is drawn.
  static let keyPause = Duration.milliseconds(100)
  /// Changes that wait longer than this while keys keep arriving are delivered right after a key's
  /// frame, when the next key is farthest away. The next key's frame shows them.
  static let longestWait = Duration.milliseconds(500)
  /// Minimum interval between deliveries of changes that no key has caused.
  static let quietInterval = Duration.milliseconds(100)
  /// A change that follows a write within this period counts as its effect and is drawn at once.
  static let answerPause = Duration.milliseconds(50)
  /// The reading pane follows the selection after this period without keys, which is longer than
  /// the interval between repeats of a held key (33 ms at 30 a second).
  static let previewPause = Duration.milliseconds(42)
  static let chordPause = Duration.milliseconds(500)
  static let prefixPause = Duration.milliseconds(400)
  /// Longer pause after a number that another digit would change, as typing a digit takes time.
  static let numberPause = Duration.milliseconds(1_000)
  static let resultPause = Duration.seconds(8)

  private var hasChanges = false
  private var hasUndrawn = false
  private var keysRestAt = Duration.zero
  private var quietUntil = Duration.zero
  private var answerUntil = Duration.zero
  private var lateAt: Duration?
  private var chordEndsAt: Duration?
  private var prefixEndsAt: Duration?
  private var resultEndsAt: Duration?
  private var lastKey = Duration.zero - FrameScheduler.previewPause
  private var previewAt: Duration?

  package init() {}

  /// The time of the next action; `nil` if none is scheduled.
  package var wake: Duration? {
    [
      hasChanges ? changesDueAt : nil, hasUndrawn ? keysRestAt : nil, chordEndsAt, prefixEndsAt,
      resultEndsAt, previewAt,
    ].compactMap { $0 }.min()
  }

  private var changesDueAt: Duration { max(quietUntil, keysRestAt) }

  /// Returns the actions for an event, in the order in which they must be carried out.
  package mutating func apply(_ event: Event, at now: Duration) -> [Action] {
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
    case .chord(let isWaiting):
      (chordEndsAt, prefixEndsAt) = (isWaiting ? now + Self.chordPause : nil, nil)
    case .prefix: (chordEndsAt, prefixEndsAt) = (nil, now + Self.prefixPause)
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
    if let end = prefixEndsAt, end <= now {
      prefixEndsAt = nil
      actions.append(.showContinuations)
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
