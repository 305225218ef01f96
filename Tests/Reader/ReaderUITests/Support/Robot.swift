@testable import ReaderServices
@testable import ReaderUI
@testable import TerminalViews

/// A reader with a virtual terminal and a manual clock, without a network, that presses keys and
/// checks the screen.
final class Robot {
  let cache: TestCache
  let terminal: VirtualTerminal
  let actions: TestActions
  let timers = ManualTimers()
  let application: ReaderApplication

  init(
    _ cache: TestCache, width: Int = 80, height: Int = 24, colors: ColorDepth = .ansi256,
    configuration: ReaderConfiguration? = nil, offers: [ImportOffer] = []
  ) async {
    self.cache = cache
    terminal = VirtualTerminal(size: Size(width: width, height: height), colorDepth: colors)
    actions = TestActions(cache.clock)
    actions.offers = offers
    application = ReaderApplication(
      store: cache.store.reader, search: cache.store.search, terminal: terminal,
      configuration: configuration ?? ReaderConfiguration.test(), actions: actions,
      timers: timers)
    application.frame()
    await waitUntilIdle()
  }

  /// Returns a cache and a robot that reads it.
  static func reading(
    _ cache: TestCache, width: Int = 80, height: Int = 24
  ) async -> (cache: TestCache, robot: Robot) {
    (cache, await Robot(cache, width: width, height: height))
  }

  // MARK: Doing

  /// Presses keys by their names, each name in its own turn of the loop, then settles. A name such
  /// as ":lists asleep" is typed into the palette.
  @discardableResult
  func press(_ names: String...) async -> Robot {
    for name in names {
      if name.hasPrefix(":"), name.count > 1 {
        await type(name)
        turn([.enter])
        await waitUntilIdle()
        continue
      }
      guard let sequence = KeySequence(name) else {
        Issue.record("no such key: \(name)")
        continue
      }
      turn(sequence.keys)
    }
    return await waitUntilIdle()
  }

  @discardableResult
  func type(_ text: String) async -> Robot {
    for character in text { turn([.character(character)]) }
    return await waitUntilIdle()
  }

  @discardableResult
  func key(_ keys: Key...) async -> Robot {
    for key in keys { turn([key]) }
    return await waitUntilIdle()
  }

  func resize(_ width: Int, _ height: Int) async {
    terminal.resize(to: Size(width: width, height: height))
    turn(terminal.readKeys())
    await waitUntilIdle()
  }

  /// Runs one turn of the loop: handles the keys, then draws one frame.
  func turn(_ keys: [Key]) {
    application.handle(keys)
    application.frame()
  }

  /// Waits until all writes are done and their changes are on the screen.
  @discardableResult
  func waitUntilIdle() async -> Robot {
    for _ in 0..<3 {
      await application.context.work.finish()
      await cache.announcements()
      application.deliverChanges()
      application.context.appearance.drawDeferred()
      application.frame()
    }
    if application.browser.needsPreview { timers.pass(0.05) }
    return self
  }

  /// Lets time pass for what waits for it.
  func pass(_ seconds: Double) -> Robot {
    timers.pass(seconds)
    return self
  }

  // MARK: Looking

  var lines: [String] {
    terminal.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
  /// The first line that has the selection's mark.
  var selection: String? { lines.first { $0.contains("▎") } }
  var statusLine: String { lines.dropLast().last ?? "" }
  var topBar: String { lines.first ?? "" }

  @discardableResult
  func sees(_ texts: String..., at location: SourceLocation = #_sourceLocation) -> Robot {
    for text in texts where !terminal.text.contains(text) {
      Issue.record(
        "\u{201C}\(text)\u{201D} is not on the screen:\n\(terminal.text)", sourceLocation: location)
    }
    return self
  }

  @discardableResult
  func doesNotSee(_ texts: String..., at location: SourceLocation = #_sourceLocation) -> Robot {
    for text in texts where terminal.text.contains(text) {
      Issue.record(
        "\u{201C}\(text)\u{201D} is on the screen:\n\(terminal.text)", sourceLocation: location)
    }
    return self
  }

  /// Compares the screen with the golden file of this name.
  @discardableResult
  func matches(_ name: String, at location: SourceLocation = #_sourceLocation) throws -> Robot {
    try Golden.check(name, terminal.text, location)
    return self
  }

  @discardableResult
  func selects(_ text: String, _ location: SourceLocation = #_sourceLocation) -> Robot {
    if selection?.contains(text) != true {
      Issue.record(
        "\u{201C}\(text)\u{201D} is not selected, but \(selection ?? "nothing"):\n\(terminal.text)",
        sourceLocation: location)
    }
    return self
  }
}

/// Actions that record the requests of screens and answer them at once.
final class TestActions: ReaderActions {
  private let clock: TestCache.Clock
  var opened: [String] = []
  var imported: [String] = []
  var starterSets = 0
  var starterFeeds: [String] { (1...12).map { "Feed \($0)" } }
  var quits = 0
  var openingFails = false
  var programNames = ["reader", "speak"]
  var tasks: [ProgramTask] = []
  /// The handling and the contents of programs' output, by the typed command.
  var modes: [String: ProgramAnswer] = [:]
  var outputs: [String: Result<String, ActionFailure>] = [:]
  /// Callbacks by which a test ends the started programs.
  var ends: [@MainActor @Sendable (ActionFailure?) -> Void] = []

  init(_ clock: TestCache.Clock) { self.clock = clock }

  func now() -> Date { clock.now }
  func outputMode(of typed: String) -> ProgramAnswer { modes[typed] ?? .background }
  func output(of task: ProgramTask) async throws(ActionFailure) -> String {
    tasks.append(task)
    guard case .typed(let line) = task.program, let output = outputs[line] else { return "" }
    return try output.get()
  }
  func openInBrowser(_ url: String) throws(ActionFailure) {
    if openingFails { throw ActionFailure("No browser was found; set open-command") }
    opened.append(url)
  }
  func run(
    _ task: ProgramTask, ended: @escaping @MainActor @Sendable (ActionFailure?) -> Void
  ) throws(ActionFailure) {
    if task.program == .typed("missing") { throw ActionFailure("missing can\u{2019}t be started") }
    tasks.append(task)
    ends.append(ended)
  }
  var settings: [SettingValueRow] = []
  var changedSettings: [String] = []
  func change(setting: String, to text: String) throws(ActionFailure) {
    if text == "wrong" { throw ActionFailure("a whole number expected") }
    changedSettings.append("\(setting) = \(text)")
    for index in settings.indices where settings[index].id == setting {
      settings[index].value = text
    }
  }
  var remembered: [ReaderSetting: String] = [:]
  /// The views of lists by the names of the lists.
  var views: [String: String] = [:]
  func remember(_ setting: ReaderSetting, _ value: String) {
    if setting.rawValue.hasPrefix("view ") {
      views[String(setting.rawValue.dropFirst("view ".count))] = value
    } else {
      remembered[setting] = value
    }
  }
  func addStarterSet(_ names: [String]) async throws(ActionFailure) -> String {
    starterSets += 1
    return "\(names.count) feeds added"
  }
  var offers: [ImportOffer] = []
  func foundLists() async -> [ImportOffer] { offers }
  /// Waits for a file called "slow" until the import is cancelled.
  func importSubscriptions(path: String) async throws(ActionFailure) -> String {
    if path.hasSuffix("slow") { while !Task.isCancelled { await Task.yield() } }
    if path.hasSuffix("missing") { throw ActionFailure("\(path) does not exist") }
    imported.append(path)
    return "3 feeds added, 1 was there already"
  }
  var packRequests: [PackRequest] = []
  func startPack(_ request: PackRequest) async throws(ActionFailure) -> String {
    if request.budget == "many" {
      throw ActionFailure("\u{201C}many\u{201D} is not a size such as 20M or 1.5G.")
    }
    packRequests.append(request)
    return "3 articles, 12 min to read; nothing to fetch"
  }
  /// The error thrown by each attempt to decode.
  var decodingFailure: ActionFailure?
  /// The sizes at which pictures were decoded.
  var decoded: [Size] = []
  /// Returns a picture with a red upper and a blue lower half; a single byte is a damaged picture.
  func decode(_ bytes: [UInt8], within size: Size) async throws(ActionFailure) -> PixelImage {
    decoded.append(size)
    if let decodingFailure { throw decodingFailure }
    var pixels: [UInt8] = []
    for y in 0..<size.height {
      for _ in 0..<size.width {
        pixels += y < size.height / 2 ? [200, 30, 30, 255] : [30, 30, 200, 255]
      }
    }
    guard bytes.count > 1,
      let image = PixelImage(width: size.width, height: size.height, bytes: pixels)
    else { throw ActionFailure("the picture is damaged") }
    return image
  }
  var exported: [String] = []
  func exportSubscriptions(path: String) async throws(ActionFailure) -> String {
    exported.append(path)
    return "Exported 7 feeds to \(path)"
  }
  var joined: [String] = []
  func previewFolder(path: String) async throws(ActionFailure) -> String {
    if path == "file" { throw ActionFailure("file is a file, not a folder.") }
    return "212 feeds there, 187 here, 150 the same"
  }
  func joinFolder(path: String, takesTheirs: Bool) async throws(ActionFailure) -> String {
    joined.append("\(path) \(takesTheirs)")
    return "Joined \(path)"
  }
  var copies: [String] = []
  func saveDatabase(path: String) async throws(ActionFailure) -> String {
    copies.append(path)
    return "Database copied to \(path)"
  }
  var saved: [(path: String, text: String)] = []
  func save(_ text: String, path: String) async throws(ActionFailure) -> String {
    saved.append((path, text))
    return "Saved as \(path)"
  }
  var books: [(path: String, title: String, articles: [ArticleID])] = []
  func saveBook(
    of articles: [ArticleID], title: String, path: String
  ) async throws(ActionFailure) -> String {
    books.append((path, title, articles))
    return "Wrote \(articles.count) articles to \(path)"
  }
  func paths(like path: String) -> [String] {
    ["~/feeds/", "~/feeds/one.opml", "~/feeds/other.opml"].filter {
      $0.hasPrefix(path) && !$0.dropFirst(path.count).dropLast().contains("/")
    }
  }
  /// Requested sign-ins. A user "nobody" is refused; one called "slow" waits until cancelled.
  var signIns: [AccountSignIn] = []
  var passwords: [(account: AccountID, password: Password)] = []
  var removed: [AccountID] = []
  func addAccount(_ signIn: AccountSignIn) async throws(ActionFailure) -> String {
    signIns.append(signIn)
    if signIn.user == "nobody" {
      throw ActionFailure(
        "rss.example.org doesn\u{2019}t accept this user name and password. Give another.")
    }
    if signIn.user == "slow" { while !Task.isCancelled { await Task.yield() } }
    return "Signed in; the password is in the keyring"
  }
  func setPassword(
    _ password: Password, of account: Account
  ) async throws(ActionFailure) -> String {
    passwords.append((account.id, password))
    return "Password changed"
  }
  func removeAccount(_ account: Account) async throws(ActionFailure) -> String {
    removed.append(account.id)
    return "Removed \(account.title)"
  }
  func quit() { quits += 1 }
}

/// Timers that fire when `pass(_:)` is called.
final class ManualTimers: Timers {
  private struct Waiting {
    weak var token: TimerToken?
    var due: Duration
    var body: () -> Void
  }
  private var waiting: [Waiting] = []
  private(set) var now = Duration.zero

  func after(_ delay: Duration, _ body: @escaping () -> Void) -> TimerToken {
    let token = TimerToken()
    waiting.append(Waiting(token: token, due: now + delay, body: body))
    return token
  }

  var count: Int { waiting.filter { $0.token != nil }.count }

  /// Lets this many seconds pass and fires the timers that are due, the earliest first.
  func pass(_ seconds: Double) {
    now += .seconds(seconds)
    let due = waiting.filter { $0.due <= now }.sorted { $0.due < $1.due }
    waiting.removeAll { $0.due <= now }
    for timer in due where timer.token != nil { timer.body() }
  }
}

extension ReaderConfiguration {
  /// Returns a configuration in GMT and without pictures.
  static func test(_ change: (inout ReaderConfiguration) -> Void = { _ in }) -> ReaderConfiguration
  {
    var configuration = ReaderConfiguration()
    configuration.timeZone = .gmt
    configuration.pictures = .off
    change(&configuration)
    return configuration
  }
}
