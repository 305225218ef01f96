import ArticleText
import Foundation
import ProgramSettings

/// Makes the parts of the network when they are needed.
enum Network {
  static func controller(
    _ session: Session, _ configure: (inout SyncConfiguration) -> Void = { _ in }
  ) -> NetworkController {
    var configuration = session.configuration.engine(directory: session.paths.data)
    configuration.secret = session.secret
    let plan = session.store.reader.plan
    configuration.textFacts = { html in
      (
        plan.minutes(ofWords: ReadingTime.words(in: html)),
        PictureReference.all(in: html, limit: PackSelection.mostPictures).map(\.address)
      )
    }
    let programs = RulePrograms(session)
    configuration.ruleProgram = { task in try programs.call(task) }
    configuration.ruleNotification = { tasks in
      try programs.notification(tasks)
    }
    if let write = session.trace?.writer(.engine) {
      configuration.trace = { write(SyncLog.line($0).text) }
    }
    configure(&configuration)
    return NetworkController(
      store: session.store.engine, accounts: session.store.accountSync,
      transport: { transport(session.trace) },
      configuration: configuration)
  }

  /// Begins to exchange with the shared folder, without the network.
  static func folder(_ session: Session) -> FolderService {
    let log = session.log
    return FolderService(
      store: session.store.engine,
      configuration: session.configuration.engine(directory: session.paths.data)
    ) { log.error(SyncLog.line(.storeFailed($0)).text) }
  }

  private static func transport(_ trace: Trace?) -> any HTTPTransport {
    let transport = CurlTransport(userAgent: Program.userAgent)
    return trace?.writer(.http).map { TracedTransport(transport: transport, write: $0) }
      ?? transport
  }

  /// - Parameters:
  ///   - waiting: feeds of hosts in back-off.
  ///   - answers: successful answers since then.
  static func discoverer(
    _ configuration: UserConfiguration, waiting: [FetchRecord] = [], answers: [GoodAnswer] = [],
    trace: Trace? = nil
  ) -> FeedDiscoverer {
    let engine = configuration.engine(directory: "")
    return FeedDiscoverer(
      transport: transport(trace), limits: TransferLimits(), waiting: waiting, answers: answers,
      settings: engine.settings)
  }
}

extension Session {
  /// Runs an engine until it is idle or Ctrl-C cancels it.
  func run(
    _ work: SyncWork, _ controller: NetworkController
  ) async -> (summary: SyncSummary, isCancelled: Bool) {
    let logging = Task { await SyncLog(log: log).follow(controller.events) }
    defer { logging.cancel() }
    let run = Task { await controller.runUntilIdle(work) }
    let interrupt = Interrupt { _ in run.cancel() }
    let summary = await run.value
    interrupt.end()
    return (summary, interrupt.hasFired)
  }

  func discoverer() throws(StoreError) -> FeedDiscoverer {
    let waiting = try store.engine.fetches.waitingFeeds(at: Date())
    let answers = try store.engine.fetches.goodAnswers(sinceRefusalsOf: waiting)
    return Network.discoverer(configuration, waiting: waiting, answers: answers, trace: trace)
  }
}
