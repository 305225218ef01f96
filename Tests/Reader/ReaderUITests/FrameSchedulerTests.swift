@testable import ReaderUI
@testable import TerminalViews

@Suite("The frame scheduler") struct FrameSchedulerTests {
  /// An event, its time in milliseconds, and the actions that follow it.
  nonisolated struct Step: Sendable {
    var at: Int
    var event: FrameScheduler.Event
    var actions: [FrameScheduler.Action] = []
    /// The time at which the scheduler then asks to be woken.
    var wake: Int?
  }

  nonisolated struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var steps: [Step]
  }

  nonisolated private static let cases = [
    Case(
      testDescription: "A change is delivered at once while nobody presses a key",
      steps: [Step(at: 1_000, event: .change, actions: [.deliver], wake: 0)]),
    Case(
      testDescription: "Changes in quick succession are delivered together",
      steps: [
        Step(at: 1_000, event: .change, actions: [.deliver], wake: 0),
        Step(at: 1_000, event: .delivering), Step(at: 1_010, event: .delivered),
        Step(at: 1_020, event: .change, wake: 1_110), Step(at: 1_090, event: .change, wake: 1_110),
        Step(at: 1_110, event: .wake, actions: [.deliver], wake: 1_110),
        Step(at: 1_110, event: .delivering),
      ]),
    Case(
      testDescription: "A change waits until the keys pause",
      steps: [
        Step(at: 1_000, event: .keys), Step(at: 1_001, event: .frame),
        Step(at: 1_020, event: .change, wake: 1_100), Step(at: 1_060, event: .keys, wake: 1_160),
        Step(at: 1_061, event: .frame, wake: 1_160), Step(at: 1_100, event: .wake, wake: 1_160),
        Step(at: 1_160, event: .wake, actions: [.deliver], wake: 1_160),
      ]),
    Case(
      testDescription: "A change that has waited long enough is shown by the next key's frame",
      steps: [
        Step(at: 1_000, event: .keys), Step(at: 1_001, event: .change, wake: 1_100),
        Step(at: 1_450, event: .keys, wake: 1_550), Step(at: 1_451, event: .frame, wake: 1_550),
        Step(at: 1_540, event: .keys, wake: 1_640),
        Step(at: 1_541, event: .frame, actions: [.deliverUndrawn], wake: 1_640),
        Step(at: 1_541, event: .delivering, wake: 1_640),
        Step(at: 1_543, event: .delivered, wake: 1_640),
        Step(at: 1_600, event: .keys, wake: 1_700), Step(at: 1_601, event: .frame),
      ]),
    Case(
      testDescription: "A change that no key's frame has shown is drawn when the keys pause",
      steps: [
        Step(at: 1_000, event: .change, actions: [.deliver], wake: 0),
        Step(at: 1_000, event: .delivering), Step(at: 1_001, event: .delivered),
        Step(at: 1_002, event: .keys), Step(at: 1_003, event: .change, wake: 1_102),
        Step(at: 1_090, event: .keys, wake: 1_190), Step(at: 1_600, event: .keys, wake: 1_700),
        Step(at: 1_602, event: .frame, actions: [.deliverUndrawn], wake: 1_700),
        Step(at: 1_602, event: .delivering, wake: 1_700),
        Step(at: 1_604, event: .delivered, wake: 1_700),
        Step(at: 1_700, event: .wake, actions: [.draw], wake: 1_700),
        Step(at: 1_701, event: .frame),
      ]),
    Case(
      testDescription: "What was read in the background is drawn when the keys pause",
      steps: [
        Step(at: 1_000, event: .keys), Step(at: 1_001, event: .frame),
        Step(at: 1_003, event: .backgroundRead, wake: 1_100),
        Step(at: 1_100, event: .wake, actions: [.draw], wake: 1_100),
        Step(at: 1_101, event: .frame), Step(at: 1_200, event: .backgroundRead, actions: [.draw]),
      ]),
    Case(
      testDescription: "What a key has written is drawn at once, whenever the store reports it",
      steps: [
        Step(at: 1_000, event: .keys), Step(at: 1_005, event: .written, actions: [.draw]),
        Step(at: 1_020, event: .change, actions: [.deliver], wake: 1_100),
        Step(at: 1_020, event: .delivering), Step(at: 1_021, event: .delivered),
        Step(at: 1_030, event: .change, wake: 1_121),
        Step(at: 1_040, event: .written, actions: [.deliver], wake: 1_121),
      ]),
    Case(
      testDescription: "A change long after a write is not taken for its effect",
      steps: [
        Step(at: 1_000, event: .keys), Step(at: 1_005, event: .written, actions: [.draw]),
        Step(at: 1_056, event: .change, wake: 1_100),
      ]),
    Case(
      testDescription: "A complete key sequence ends when no other key comes",
      steps: [
        Step(at: 1_000, event: .chord(isWaiting: true), wake: 1_500),
        Step(at: 1_500, event: .wake, actions: [.endChord]),
        Step(at: 1_600, event: .chord(isWaiting: true), wake: 2_100),
        Step(at: 1_700, event: .chord(isWaiting: false)),
      ]),
    Case(
      testDescription: "Keys that begin a command are explained when no other key comes",
      steps: [
        Step(at: 1_000, event: .prefix, wake: 1_400),
        Step(at: 1_400, event: .wake, actions: [.showContinuations]),
        Step(at: 2_000, event: .prefix, wake: 2_400),
        Step(at: 2_100, event: .chord(isWaiting: false)),
      ]),
    Case(
      testDescription: "A number ends when no other key comes, later where it can grow",
      steps: [
        Step(at: 1_000, event: .number(canGrow: true), wake: 2_000),
        Step(at: 1_400, event: .number(canGrow: false), wake: 1_900),
        Step(at: 1_900, event: .wake, actions: [.endChord]),
      ]),
    Case(
      testDescription: "The result of a refresh is hidden after a while",
      steps: [
        Step(at: 1_000, event: .result, wake: 9_000),
        Step(at: 9_000, event: .wake, actions: [.hideResult]),
      ]),
    Case(
      testDescription: "The reading pane follows the selection when the keys pause",
      steps: [
        Step(at: 1_000, event: .keys), Step(at: 1_001, event: .frame),
        Step(at: 1_001, event: .selection, wake: 1_042),
        Step(at: 1_033, event: .keys, wake: 1_075), Step(at: 1_034, event: .frame, wake: 1_075),
        Step(at: 1_034, event: .selection, wake: 1_075),
        Step(at: 1_075, event: .wake, actions: [.preview]),
      ]),
    Case(
      testDescription: "The reading pane follows at once where no key was pressed",
      steps: [
        Step(at: 1_000, event: .frame), Step(at: 1_000, event: .selection, wake: 1_000),
        Step(at: 1_000, event: .wake, actions: [.preview]),
      ]),
  ]

  @Test("Each event leads to the actions and the next wake-up in the table", arguments: cases)
  func eventsLeadToActions(_ given: Case) {
    var scheduler = FrameScheduler()
    for (number, step) in given.steps.enumerated() {
      let actions = scheduler.apply(step.event, at: .milliseconds(step.at))
      #expect(actions == step.actions, "step \(number)")
      #expect(scheduler.wake == step.wake.map { .milliseconds($0) }, "step \(number)")
    }
  }
}
