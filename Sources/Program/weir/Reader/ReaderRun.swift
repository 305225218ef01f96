// Connects the parts of the reader, and starts other programs.

import ArgumentParser
import Foundation
import Importers
import NcursesTerminal
import ProgramSettings
import Programs
import Synchronization
import TerminalKit

/// The reader from start to end: cache, terminal, first frame, then the network.
@MainActor
final class ReaderRun: ReaderActions {
  private static let stopDeadline = Duration.milliseconds(150)
  let session: Session
  let isOffline: Bool
  /// True if the terminal receives lines instead of screens.
  private let isLinear: Bool
  private let focus: String?
  private let article: ArticleID?
  private var terminal: (any Terminal)?
  private var application: ReaderApplication?
  private var hasEnded = false
  /// The last configuration read; the engine keeps the configuration from its start.
  private var configuration: UserConfiguration
  private let state: ReaderState
  private var watcher: ConfigurationWatcher?
  private let ending: AsyncStream<Int32>
  private let end: AsyncStream<Int32>.Continuation

  /// - Parameter isLinear: True for lines instead of screens; also if the configuration or the
  /// terminal needs them.
  init(
    session: Session, isOffline: Bool, isLinear: Bool = false, focus: String? = nil,
    opening article: ArticleID? = nil
  ) {
    self.session = session
    self.focus = focus
    self.article = article
    self.isOffline = isOffline
    self.isLinear =
      isLinear || session.configuration.isLinear
      || LineTerminal.isNeeded(ProcessInfo.processInfo.environment)
    configuration = session.configuration
    state = ReaderState(path: session.paths.state, log: session.log)
    (ending, end) = AsyncStream.makeStream()
  }

  /// - Returns: the exit code.
  func run() async throws -> Int32 {
    let terminal = try openTerminal(await configuration.pictures.choice())
    self.terminal = terminal
    let application = ReaderApplication(
      store: session.store.reader, search: session.store.search, terminal: terminal,
      configuration: screens, actions: self)
    self.application = application
    if let article { application.open(article) }
    if isLinear { application.say("? lists the keys, Q quits") }
    if let warning = session.warning ?? keyNews() { application.say(warning) }
    watchConfiguration()
    application.frame()
    session.log.info("reader \(Program.version) on \(session.paths.data)")
    await readRules(application)
    let controller = isOffline ? nil : startEngine()
    let folder = isOffline ? Network.folder(session) : nil
    let indexer = SearchIndexer(session.store.search)

    var code: Int32 = 0
    for await asked in ending { code = asked }
    watcher?.cancel()
    indexer.cancel()
    await application.stop()
    state.finish()
    let unsent = waitingChanges
    if unsent > 0, controller != nil {
      Console.note("Sending \(AmountWording.changes(unsent)) \u{2026}")
    }
    await controller?.stop(deadline: Self.stopDeadline)
    await folder?.stop(deadline: Self.stopDeadline)
    if waitingChanges > 0 {
      Console.note(
        AccountWording.waiting(waitingChanges) + ", or by \u{201C}weir sync --push-only\u{201D}.")
    }
    session.log.info("reader ended")
    return code
  }

  private func readRules(_ application: ReaderApplication) async {
    do throws(StoreError) {
      if let problem = try await session.readRulesFile() { application.say(problem) }
    } catch {
      session.log.error("rules: \(error)")
    }
  }

  /// Returns the changes of the keys since the version that was started last; `nil` at the first
  /// start. Stores this version.
  private func keyNews() -> String? {
    do throws(StoreError) {
      let isFirst = try session.store.reader.articles.lastVisit() == nil
      let last = state.value(.version) ?? (isFirst ? Program.version : "0")
      state.set(.version, to: Program.version)
      return KeyChanges.news(since: last)
    } catch {
      session.log.error("visit: \(error)")
      return nil
    }
  }

  private var waitingChanges: Int {
    do throws(StoreError) {
      let accounts = try session.store.reader.accounts.all()
      return accounts.reduce(0) { $0 + $1.state.outbox.waiting }
    } catch {
      session.log.error("outbox: \(error)")
      return 0
    }
  }

  private func startEngine() -> NetworkController {
    let controller = Network.controller(session)
    let log = SyncLog(log: session.log)
    Task.detached {
      await log.follow(controller.events) { [weak self] in await self?.sayEnded($0) }
    }
    controller.start()
    return controller
  }

  /// Reports feeds with starred articles that were unsubscribed at an account's server.
  private func sayEnded(_ report: AccountReport) {
    guard !report.ended.isEmpty, let application, !hasEnded else { return }
    do throws(StoreError) {
      guard let account = try session.store.reader.accounts.account(report.account) else { return }
      let sentences = report.ended.map { AccountWording.ended($0, account) }
      application.say("\(account.title): \(sentences.joined(separator: "; "))")
    } catch {
      application.complain(StoreWording.sentence(error))
    }
    application.frame()
  }

  private func openTerminal(_ pictures: PictureChoice) throws -> any Terminal {
    let onInput = { [weak self] in self?.handleKeys() ?? () }
    let onHangUp = { [weak self] (hangUp: HangUp) in
      self?.end(code: 128 + (hangUp == .terminalGone ? SIGHUP : SIGTERM)) ?? ()
    }
    do throws(TerminalError) {
      if isLinear { return try LineTerminal(onInput: onInput, onHangUp: onHangUp) }
      let terminal = try NcursesTerminal(
        environment: ProcessInfo.processInfo.environment, pictures: pictures,
        png: PictureEncoder.png, onInput: onInput, onHangUp: onHangUp)
      return session.trace?.writer(.frame).map { TracedTerminal(terminal, $0) } ?? terminal
    } catch {
      throw CommandFailure(error)
    }
  }

  private func handleKeys() {
    guard let terminal, let application, !hasEnded else { return }
    application.handle(terminal.readKeys())
    application.frame()
  }

  private var screens: ReaderConfiguration {
    var screens = configuration.screens(
      guideURL: Guide.url, environment: ProcessInfo.processInfo.environment, state: state)
    screens.isOffline = isOffline
    screens.isLinear = isLinear
    if isLinear { screens.pictures = .off }
    if let focus { screens.remembered[.focus] = focus }
    return screens
  }

  private func watchConfiguration() {
    watcher?.cancel()
    watcher = session.paths.config.map { path in
      ConfigurationWatcher(path: path) { [weak self] in self?.configurationChanged(path) }
    }
  }

  var settings: [SettingValueRow] { configuration.rows(state.choices) }

  func change(setting: String, to text: String) throws(ActionFailure) {
    guard let path = session.paths.config else {
      throw ActionFailure("There is no place for a configuration file; set HOME")
    }
    do throws(CommandFailure) {
      let file = try ConfigurationFile.change(setting, to: text, in: path)
      // The watch begins again with the new text, and with a folder that was missing.
      watchConfiguration()
      apply(file)
    } catch {
      throw ActionFailure(error, session.log)
    }
  }

  /// Applies a changed configuration, unless the file has a problem.
  private func configurationChanged(_ path: String) {
    guard let application, !hasEnded else { return }
    let file = ConfigurationFile.load(path, isRequired: false)
    if let problem = file.problems.first {
      session.log.warning("configuration: \(problem.described)")
      return application.complain("Configuration not reloaded; \(problem.described)")
    }
    apply(file)
  }

  private func apply(_ file: ConfigurationFile) {
    configuration = file.configuration
    application?.configure(screens)
    application?.say(configuration.readAgain(since: session.configuration))
    application?.frame()
  }

  func quit() { end(code: 0) }

  private func end(code: Int32) {
    // The terminal is restored before the shell continues.
    terminal?.close()
    if code != 0 { endInTime(code) }
    hasEnded = true
    end.yield(code)
    end.finish()
  }

  /// Exits after `Interrupt.grace`; later if the user's changes are not written by then.
  private func endInTime(_ code: Int32, tries: Int = 4) {
    DispatchQueue.main.asyncAfter(deadline: .now() + Interrupt.grace) { [self] in
      MainActor.assumeIsolated {
        if tries == 0 || application?.hasUnwrittenChanges != true { _exit(code) }
        endInTime(code, tries: tries - 1)
      }
    }
  }

  func now() -> Date { Date() }

  func openInBrowser(_ url: String) throws(ActionFailure) {
    let browser = WebBrowser(
      configured: configuration.browser, variable: Environment.value("BROWSER"))
    do throws(CommandFailure) {
      try browser.open(url, withTerminal: lendingTerminal)
    } catch {
      throw ActionFailure(error, session.log)
    }
  }

  private func lendingTerminal(
    _ body: () throws(CommandFailure) -> Void
  ) throws(CommandFailure) {
    guard let terminal else { return try body() }
    let result = terminal.suspended { Result(catching: body) }
    try result.get()
  }

  func remember(_ setting: ReaderSetting, _ value: String) { state.set(setting, to: value) }

  var programNames: [String] { configuration.programs.keys.sorted() }

  func run(
    _ task: ProgramTask, ended: @escaping @MainActor @Sendable (ActionFailure?) -> Void
  ) throws(ActionFailure) {
    do throws(CommandFailure) {
      let program = try program(task.program)
      let arguments = try OtherPrograms.arguments(
        program, address: task.address, file: task.file)
      let player = task.playing.flatMap { playerSession(arguments, of: $0) }
      player?.start()
      do throws(CommandFailure) {
        let usesTerminal = OtherPrograms.usesTerminal(program) && task.program != .notification
        try start(
          player?.arguments ?? arguments, in: usesTerminal ? .terminal : .background,
          given: ProgramLauncher.Given(environment: task.environment, input: task.input)
        ) { failure in
          player?.end()
          ended(failure)
        }
      } catch {
        player?.end()
        throw error
      }
    } catch {
      throw ActionFailure(error, session.log)
    }
  }

  /// - Throws: if the program cannot be started, or used the terminal and failed.
  private func start(
    _ arguments: [String], in mode: ProgramLauncher.RunMode, given: ProgramLauncher.Given,
    ended: @escaping @MainActor @Sendable (ActionFailure?) -> Void
  ) throws(CommandFailure) {
    let (name, log) = (ProgramRunner.name(arguments), session.log)
    guard mode == .terminal else {
      return try ProgramLauncher.run(arguments, in: .background, given: given) { end in
        Task { @MainActor in ended(end.failure(of: name).map { ActionFailure($0, log) }) }
      }
    }
    let end = Mutex(ProgramLauncher.End.exited(0, complaint: ""))
    try lendingTerminal { () throws(CommandFailure) in
      try ProgramLauncher.run(arguments, in: .terminal, given: given) { new in
        end.withLock { $0 = new }
      }
    }
    if let failure = end.withLock({ $0 }).failure(of: name) { throw failure }
    ended(nil)
  }

  /// Returns a session that follows the position in mpv; `nil` for another player.
  private func playerSession(
    _ arguments: [String], of playing: ProgramTask.Playing
  ) -> PlayerSession? {
    let (store, log) = (session.store.reader, session.log)
    return PlayerSession(arguments, from: playing.from) { playback, isLast in
      do throws(StoreError) {
        try await store.downloads.setPlayback(
          playing.article, playing.url, playback, isLast: isLast)
      } catch {
        log.error("playback: \(error)")
      }
    }
  }

  private func program(
    _ wanted: ProgramTask.Program
  ) throws(CommandFailure) -> OtherPrograms.Program {
    switch wanted {
    case .typed(let line):
      return try OtherPrograms.program(typed: line, named: configuration.programs)
    case .player:
      if let arguments = configuration.player { return OtherPrograms.Program(arguments: arguments) }
      let path = Environment.value("PATH") ?? ""
      guard let name = OtherPrograms.first(of: OtherPrograms.players, path: path) else {
        throw CommandFailure(
          "There is no program to play it. Set player under [open] in the configuration.")
      }
      return OtherPrograms.Program(arguments: [name], usesTerminal: false)
    case .bookmark:
      guard let arguments = configuration.bookmark else {
        throw CommandFailure(
          "There is no program for bookmarks. Set bookmark under [open] in the configuration.")
      }
      return OtherPrograms.Program(arguments: arguments)
    case .notification:
      guard let arguments = configuration.notification else {
        throw CommandFailure("No program for notifications is set.")
      }
      return OtherPrograms.Program(arguments: arguments)
    }
  }

  func outputMode(of typed: String) -> ProgramAnswer {
    guard
      let program = try? OtherPrograms.program(typed: typed, named: configuration.programs),
      !OtherPrograms.usesTerminal(program)
    else { return .background }
    return program.output ?? .background
  }

  func output(of task: ProgramTask) async throws(ActionFailure) -> String {
    try await wordingErrors {
      let chosen = try program(task.program)
      let arguments = try OtherPrograms.arguments(chosen, address: task.address, file: task.file)
      let given = ProgramLauncher.Given(environment: task.environment, input: task.input)
      return try await ProgramLauncher.output(
        of: arguments, given: given, limit: ArticleNote.longest)
    }
  }

  var starterFeeds: [String] { (try? StarterSet.entries())?.compactMap(\.title) ?? [] }

  func addStarterSet(_ names: [String]) async throws(ActionFailure) -> String {
    let added = try await wordingErrors(otherwise: "The starter set cannot be read") {
      let entries = try StarterSet.entries().filter { names.contains($0.title ?? "") }
      return try await session.store.reader.feeds.subscribe(entries, isUndoable: true).added.count
    }
    guard added > 0 else { return "You already have these feeds" }
    return "Added \(AmountWording.feeds(added))"
  }

  func foundLists() async -> [ImportOffer] {
    guard let home = Environment.home else { return [] }
    let places = OtherReaders(home: home, variable: Environment.value)
    return await OwnThread.run { _ in places.lists() }
  }

  func importSubscriptions(path: String) async throws(ActionFailure) -> String {
    do {
      let list = try await Self.subscriptions(at: Paths.expandingHome(path))
      let store = session.store
      // The import continues if the reader quits.
      let result = try await Task {
        try await store.reader.feeds.subscribe(list.entries, isUndoable: true)
      }
      .value
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

  func paths(like path: String) -> [String] { PathCompletion.paths(like: path) }

  func wordingErrors<Result>(
    otherwise: String = "Stopped", _ body: () async throws -> Result
  ) async throws(ActionFailure) -> Result {
    do {
      return try await body()
    } catch let failure as CommandFailure {
      throw ActionFailure(failure, session.log)
    } catch let error as ValidationError {
      throw ActionFailure(error.message)
    } catch let error as StoreError {
      throw ActionFailure(StoreWording.sentence(error))
    } catch {
      throw ActionFailure(otherwise)
    }
  }
}

extension ActionFailure {
  init(_ failure: CommandFailure, _ log: Log) {
    log.warning(failure.sentence)
    self.init(failure.message)
  }
}

extension CommandFailure {
  /// The text for a screen, where a single sentence has no full stop.
  var message: String {
    let text = SafeText.line(sentence)
    return text.contains(". ") ? text : text.trimmingSuffix(".")
  }
}
