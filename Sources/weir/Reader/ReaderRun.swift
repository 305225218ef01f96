import Dispatch
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
  private static let stopDeadline = 0.3
  /// Seconds after which a signal ends the program, whatever it is doing.
  private static let killDeadline = 2.5

  private let session: Session
  private let isOffline: Bool
  private var terminal: (any Terminal)?
  private var application: ReaderApplication?
  private var controller: NetworkController?
  private var signals: [any DispatchSourceSignal] = []
  private var isEnding = false

  init(session: Session, isOffline: Bool) {
    self.session = session
    self.isOffline = isOffline
  }

  /// Shows the first frame and starts the engine. The run loop does the rest, until `quit`.
  func start() async throws {
    try await Guide.prepare(session.store)
    let terminal = try openTerminal()
    self.terminal = terminal
    watchSignals()
    let application = ReaderApplication(
      store: session.store, terminal: terminal,
      configuration: session.configuration.screens(guideURL: Guide.url), actions: self)
    self.application = application
    application.start()
    session.log.info("reader \(Program.version) on \(session.paths.data)")
    guard !isOffline else { return }
    let controller = Network.controller(session)
    self.controller = controller
    let log = SyncLog(log: session.log)
    Task.detached { await log.follow(controller.events) }
    controller.start()
  }

  private func openTerminal() throws -> any Terminal {
    try NcursesTerminal()
  }

  // MARK: The end

  private func watchSignals() {
    for number in [SIGTERM, SIGHUP, SIGINT] {
      signal(number, SIG_IGN)
      // Not on the main queue alone: a main thread that hangs must not keep the program alive.
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [weak self] in
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.killDeadline) {
          _exit(128 + number)
        }
        Task { @MainActor in self?.end(code: 128 + number) }
      }
      source.resume()
      signals.append(source)
    }
  }

  func quit() { end(code: 0) }

  private func end(code: Int32) {
    guard !isEnding else { return }
    isEnding = true
    // The shell gets its terminal back first; what the engine still cancels nobody waits for to see.
    terminal?.close()
    let (controller, session) = (controller, session)
    Task {
      await controller?.stop(deadline: Self.stopDeadline)
      session.log.info("reader ended")
      session.close()
      exit(code)
    }
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
