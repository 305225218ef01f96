import Foundation
import Programs

/// Runs a rule's program for an article, or the program for notifications. Needs no network; at
/// most two of the user's programs run at once.
struct RuleProgramOperation: SyncOperation {
  typealias Answer = Result<[UInt8], FetchFailure>

  static let kind = OperationKind.ruleProgram
  static let policy = OperationPolicy(waitsForNetwork: false)

  /// The row for all waiting notifications, which are shown together.
  private static let notifications: Int64 = 0

  let tasks: [RuleProgramTask]
  let call: ProgramCall?
  let context: OperationContext

  init?(row: Int64, fetcher: Fetcher, context: OperationContext) throws(StoreError) {
    let configuration = context.configuration
    do {
      if row == Self.notifications {
        tasks = try context.store.programs.pendingNotifications()
        call = try configuration.ruleNotification(tasks)
      } else {
        guard let task = try context.store.programs.task(row) else { return nil }
        tasks = [task]
        call = try configuration.ruleProgram(task)
      }
    } catch {
      throw StoreError(error)
    }
    guard !tasks.isEmpty else { return nil }
    self.context = context
  }

  static func name(of row: Int64, in context: OperationContext) throws(StoreError) -> String? {
    try context.store.programs.name(row)
  }

  static func pending(in context: OperationContext) throws(StoreError) -> [OperationEntry] {
    let rows = try context.store.programs.pending().map(\.id)
    let all =
      try context.store.programs.pendingNotifications().isEmpty ? rows : [notifications] + rows
    return all.map { entry($0, host: LocalSource.hostKey, .scheduled, in: context) }
  }

  var address: String? { nil }

  func preflight() -> RuleProgramEnd? { call == nil ? .failed(fact: nil) : nil }

  func fetch() async throws(StoreError) -> Answer {
    // Claims the tasks first, so that each runs at most once, even if this process dies.
    guard let call,
      try await context.store.programs.claimRulePrograms(tasks.map(\.id)).count == tasks.count
    else { return .failure(.cancelled) }
    return await Result { () async throws(FetchFailure) in
      try await context.local.program(
        call.words, input: call.input,
        environment: call.environment.map { "\($0.key)=\($0.value)" })
    }
  }

  func networkEnd(of answer: Answer) -> OperationEnd? { nil }

  func digest(_ answer: Answer) -> RuleProgramEnd? {
    switch answer {
    case .failure(let failure) where failure.isCancelled: return nil
    case .failure(let failure): return .failed(fact: failure.detail?.code ?? "")
    case .success(let output):
      guard let name = call?.note else { return .done(note: nil) }
      let text = String(decoding: output.prefix(ArticleNote.longest), as: UTF8.self)
      let html = ArticleNote.html(ofText: text)
      return .done(note: html.isEmpty ? nil : RuleNote(program: name, html: html))
    }
  }

  func refusal(_ reason: FailureDetail) -> RuleProgramEnd? {
    .failed(fact: reason.code)
  }

  func store(_ end: RuleProgramEnd) async throws(StoreError) -> [SyncEvent] {
    try await context.store.programs.endRulePrograms(tasks.map(\.id), end)
    return []
  }
}
