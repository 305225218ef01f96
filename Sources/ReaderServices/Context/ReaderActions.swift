public import FeedModel
public import FeedStore
public import Foundation
public import TerminalKit

/// Services that the screens need besides cache and terminal. The program implements them; tests
/// have their own.
public protocol ReaderActions: AnyObject {
  /// The clock for ages and times on screen.
  func now() -> Date
  /// Opens an http(s) address, or one that the user has confirmed, with the configured program: an
  /// argv, never a shell. Must not wait for it.
  func openInBrowser(_ url: String) throws(ActionFailure)
  /// Programs of the configuration, for the palette.
  var programNames: [String] { get }
  /// Starts a program. Returns at once, or when a program that uses the terminal has ended. `ended`
  /// is called at its end: nil on success, else with a sentence.
  func run(_ task: ProgramTask, ended: @escaping @MainActor @Sendable (ActionFailure?) -> Void)
    throws(ActionFailure)
  /// The use of the output of a typed program: its name in the configuration, or words. Always
  /// `background` for programs that use the terminal.
  func outputMode(of typed: String) -> ProgramAnswer
  /// Runs a program to its end and returns what it printed, as UTF-8 text of at most
  /// `ArticleNote.longest` bytes. Ends with the task that asks.
  func output(of task: ProgramTask) async throws(ActionFailure) -> String
  /// Saves the user's choices for the next start. Must return at once.
  func remember(_ setting: ReaderSetting, _ value: String)
  /// Subscribes to the bundled starter set. Returns a sentence for the status line.
  func takeStarterSet() async throws(ActionFailure) -> String
  /// Imports an OPML file or newsboat's `urls`. Returns a sentence for the status line.
  func importSubscriptions(path: String) async throws(ActionFailure) -> String
  /// Writes the subscriptions as OPML. Returns a sentence for the status line.
  func exportSubscriptions(path: String) async throws(ActionFailure) -> String
  /// Writes a copy of the database into a new file. Returns a sentence for the status line.
  func saveDatabase(path: String) async throws(ActionFailure) -> String
  /// Writes a text into a new file. Returns a sentence for the status line.
  func save(_ text: String, path: String) async throws(ActionFailure) -> String
  /// Completions of a path that is being typed; folders end in a slash. Must return at once.
  func paths(like path: String) -> [String]
  /// Signs in to an account's server, stores the password and adds the account. Returns a sentence
  /// for the status line. Takes as long as the server; ends when its task is cancelled.
  func addAccount(_ signIn: AccountSignIn) async throws(ActionFailure) -> String
  /// Signs in with another password and stores it. Returns a sentence for the status line.
  func setPassword(_ password: Password, of account: Account) async throws(ActionFailure) -> String
  /// Removes an account, its articles and its password. Returns a sentence for the status line.
  func removeAccount(_ account: Account) async throws(ActionFailure) -> String
  /// The pixels of a picture, scaled down until they fit: decoded in a process of its own. The
  /// failure is the reason, without a full stop.
  func decode(_ bytes: [UInt8], within size: Size) async throws(ActionFailure) -> PixelImage
  /// Chooses the articles of a pack and begins it. Returns a sentence for the status line.
  func startPack(_ wish: PackWish) async throws(ActionFailure) -> String
  /// The user quits: end the run loop. Called once.
  func quit()
}

/// Choices made in the screens that survive a restart.
public nonisolated enum ReaderSetting: String, CaseIterable, Sendable {
  case theme
  case feedOrder = "feed-order"
  case articleOrder = "article-order"
  /// "compact" or "roomy".
  case rows
  /// "true" where lists show pictures.
  case thumbnails
  /// Columns; 0: chosen by the width of the window.
  case feedsWidth = "feeds-width"
  case articlesWidth = "articles-width"
  case textWidth = "text-width"
  case justify
  case saveFormat = "save-format"

  public var name: String {
    switch self {
    case .articleOrder: "lists.order"
    case .rows: "lists.rows"
    case .thumbnails: "lists.thumbnails"
    case .theme, .feedOrder, .textWidth, .justify, .feedsWidth, .articlesWidth, .saveFormat:
      "reader.\(rawValue)"
    }
  }
}

/// The data of an account to be added.
public nonisolated struct AccountSignIn: Sendable, Equatable {
  public var kind: Account.Kind
  public var url: String
  public var user: String
  public var password: Password

  package init(
    kind: Account.Kind, url: String, user: String, password: Password
  ) {
    self.kind = kind
    self.url = url
    self.user = user
    self.password = password
  }
}

/// The reason for which an action failed.
public nonisolated struct ActionFailure: Error, Sendable, Equatable {
  /// A single sentence without its full stop, or several with it.
  public var sentence: String
  /// The attempt ended because it took too much time or memory.
  public var isCostly: Bool
  public init(_ sentence: String, isCostly: Bool = false) {
    self.sentence = sentence
    self.isCostly = isCostly
  }
}
