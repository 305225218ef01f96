import FeedModel
import FeedParsing
import FeedStore
import Foundation
import NcursesTerminal
import ReaderUI
import SyncEngine
import TerminalKit

/// The reader from its start to its end: cache, terminal, first frame, and only then the network.
@MainActor
final class ReaderRun: ReaderActions {
  /// Seconds that the engine gets to end its transfers.
  private static let stopDeadline = 0.15
  private let session: Session
  private let isOffline: Bool
  private var terminal: (any Terminal)?
  private var application: ReaderApplication?
  private var hasEnded = false
  private let ending: AsyncStream<Int32>
  private let end: AsyncStream<Int32>.Continuation

  init(session: Session, isOffline: Bool) {
    self.session = session
    self.isOffline = isOffline
    (ending, end) = AsyncStream.makeStream()
  }

  /// Runs from the first frame, after which the engine starts, to the end. Returns the exit code.
  func run() async throws -> Int32 {
    try await Guide.prepare(session.store)
    let terminal = try openTerminal()
    self.terminal = terminal
    let application = ReaderApplication(
      store: session.store, terminal: terminal,
      configuration: session.configuration.screens(guideURL: Guide.url), actions: self)
    self.application = application
    if let warning = session.warning { application.say(warning) }
    application.frame()
    session.log.info("reader \(Program.version) on \(session.paths.data)")
    let controller = isOffline ? nil : startEngine()
    if isOffline { await sayOffline() }

    var code: Int32 = 0
    for await asked in ending { code = asked }
    await application.stop()
    await controller?.stop(deadline: Self.stopDeadline)
    session.log.info("reader ended")
    return code
  }

  private func startEngine() -> NetworkController {
    let controller = Network.controller(session)
    let log = SyncLog(log: session.log)
    Task.detached { await log.follow(controller.events) }
    controller.start()
    return controller
  }

  private func openTerminal() throws -> any Terminal {
    do throws(TerminalError) {
      return try NcursesTerminal(
        environment: ProcessInfo.processInfo.environment,
        onInput: { [weak self] in self?.takeKeys() },
        onHangUp: { [weak self] hangUp in
          self?.end(code: 128 + (hangUp == .terminalGone ? SIGHUP : SIGTERM))
        })
    } catch {
      throw CommandFailure(error)
    }
  }

  private func takeKeys() {
    guard let terminal, let application, !hasEnded else { return }
    application.handle(terminal.readKeys())
    application.frame()
  }

  /// The line's grade is a row; where no engine writes it, the last one's would be shown for ever.
  private func sayOffline() async {
    guard var status = try? session.store.syncStatus(), !status.isRunning else { return }
    status.grade = .offline
    try? await session.store.setSyncStatus(status)
  }

  // MARK: The end

  func quit() { end(code: 0) }

  private func end(code: Int32) {
    // The shell gets its terminal back first; what is still cancelled nobody waits for to see.
    terminal?.close()
    hasEnded = true
    end.yield(code)
    end.finish()
  }

  // MARK: What the screens ask for

  func now() -> Date { Date() }

  func openInBrowser(_ url: String) throws(ActionFailure) {
    let browser = Browser(
      configured: session.configuration.browser, variable: Environment.value("BROWSER"))
    do throws(CommandFailure) {
      try browser.open(url) { body throws(CommandFailure) in
        guard let terminal else { return try body() }
        let result = terminal.suspended { Result(catching: body) }
        try result.get()
      }
    } catch {
      session.log.warning("open: \(error.sentence)")
      throw ActionFailure(SafeText.line(error.sentence))
    }
  }

  func takeStarterSet() async throws(ActionFailure) -> String {
    do {
      let result = try await session.store.subscribe(StarterSet.entries())
      guard !result.added.isEmpty else { return "The starter set is subscribed to already" }
      return "Added \(AmountWording.count(result.added.count, "feed", "feeds")); "
        + (isOffline ? "they come with the next sync" : "they are on their way")
    } catch let error as StoreError {
      throw ActionFailure(StoreWording.sentence(error))
    } catch {
      throw ActionFailure("The starter set cannot be read")
    }
  }

  func importSubscriptions(path: String) async throws(ActionFailure) -> String {
    do {
      let list = try SubscriptionList.read(Self.expandingHome(path))
      let result = try await session.store.subscribe(list.entries)
      for line in list.skipped { session.log.warning("import: \(line)") }
      return list.sentence(added: result.added.count, known: result.known)
    } catch let failure as CommandFailure {
      throw ActionFailure(SafeText.line(failure.sentence))
    } catch let error as StoreError {
      throw ActionFailure(StoreWording.sentence(error))
    } catch {
      throw ActionFailure("The file cannot be imported")
    }
  }

  /// `~/feeds.opml`, as people type it where no shell reads it.
  private static func expandingHome(_ path: String) -> String {
    guard path == "~" || path.hasPrefix("~/"), let home = Environment.value("HOME") else {
      return path
    }
    return home + path.dropFirst()
  }
}
