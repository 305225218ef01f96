public import Foundation
public import TerminalKit

/// Services that the screens need in addition to cache and terminal. The program implements them;
/// tests have their own.
public protocol ReaderActions: AnyObject {
  /// Returns the time for ages and times on screen.
  func now() -> Date
  /// Opens an http(s) address, or another one that the user has confirmed, with the configured
  /// program (an argv, never a shell). Must not wait for the program.
  func openInBrowser(_ url: String) throws(ActionFailure)
  /// Names of programs in the configuration, for the palette.
  var programNames: [String] { get }
  /// Starts a program. Returns at once, or when a program that uses the terminal has ended. Calls
  /// `ended` when the program ends: with `nil` on success, otherwise with a sentence.
  func run(_ task: ProgramTask, ended: @escaping @MainActor @Sendable (ActionFailure?) -> Void)
    throws(ActionFailure)
  /// Returns the use of a typed program's output, by its name in the configuration or by its words.
  /// Always `background` for programs that use the terminal.
  func outputMode(of typed: String) -> ProgramAnswer
  /// Runs a program to its end and returns its output, as UTF-8 text of at most
  /// `ArticleNote.longest` bytes. Cancelling the calling task ends the program.
  func output(of task: ProgramTask) async throws(ActionFailure) -> String
  /// The settings of the configuration file, those for experts last.
  var settings: [SettingValueRow] { get }
  /// Changes a setting in the configuration file, and applies it.
  /// - Parameter text: the value as typed; "default" removes the setting from the file.
  func change(setting: String, to text: String) throws(ActionFailure)
  /// Saves a choice for the next start. Must return at once.
  func remember(_ setting: ReaderSetting, _ value: String)
  /// The names of the feeds in the bundled starter set.
  var starterFeeds: [String] { get }
  /// Subscribes to feeds of the bundled starter set. Returns a sentence for the status line.
  func addStarterSet(_ names: [String]) async throws(ActionFailure) -> String
  /// Returns the lists of subscriptions in the usual places of other readers.
  func foundLists() async -> [ImportOffer]
  /// Imports an OPML file or newsboat's `urls`. Returns a sentence for the status line.
  func importSubscriptions(path: String) async throws(ActionFailure) -> String
  /// Writes the subscriptions as OPML. Returns a sentence for the status line.
  func exportSubscriptions(path: String) async throws(ActionFailure) -> String
  /// Writes a copy of the database into a new file. Returns a sentence for the status line.
  func saveDatabase(path: String) async throws(ActionFailure) -> String
  /// Writes a text into a new file. Returns a sentence for the status line.
  func save(_ text: String, path: String) async throws(ActionFailure) -> String
  /// Writes articles as a book for an e-reader into a new file, in this order. Returns a sentence
  /// for the status line.
  func saveBook(
    of articles: [ArticleID], title: String, path: String
  ) async throws(ActionFailure) -> String
  /// Returns completions of a path while it is typed; folders end in a slash. Must return at once.
  func paths(like path: String) -> [String]
  /// Signs in to an account's server, stores the password and adds the account. Returns a sentence
  /// for the status line. Waits for the server; ends when its task is cancelled.
  func addAccount(_ signIn: AccountSignIn) async throws(ActionFailure) -> String
  /// Returns a sentence about joining a folder that devices share: how many feeds the folder and
  /// this machine have. Does not join it; creates the folder if it is missing.
  func previewFolder(path: String) async throws(ActionFailure) -> String
  /// Joins a folder that devices share, after a backup of the database. Returns a sentence for the
  /// status line.
  /// - Parameter takesTheirs: true to unsubscribe from the feeds that the folder does not have.
  func joinFolder(path: String, takesTheirs: Bool) async throws(ActionFailure) -> String
  /// Signs in with a new password and stores it. Returns a sentence for the status line.
  func setPassword(_ password: Password, of account: Account) async throws(ActionFailure) -> String
  /// Removes an account, its articles and its password. Returns a sentence for the status line.
  func removeAccount(_ account: Account) async throws(ActionFailure) -> String
  /// Returns a picture's pixels, scaled down until they fit, decoded in a child process. The thrown
  /// failure is the reason, without a full stop.
  func decode(_ bytes: [UInt8], within size: Size) async throws(ActionFailure) -> PixelImage
  /// Selects the articles of a pack and starts it. Returns a sentence for the status line.
  func startPack(_ request: PackRequest) async throws(ActionFailure) -> String
  /// Ends the run loop when the user quits. Called once.
  func quit()
}

/// A choice on screen, or the last version, that is saved for the next start.
public nonisolated struct ReaderSetting: RawRepresentable, Hashable, Sendable {
  /// The key in the file.
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static let theme = Self(rawValue: "theme")
  public static let feedOrder = Self(rawValue: "feed-order")
  public static let folders = Self(rawValue: "folders")
  /// Row height: "compact" or "roomy".
  public static let rows = Self(rawValue: "rows")
  /// Width in columns; 0 if it depends on the window.
  public static let feedsWidth = Self(rawValue: "feeds-width")
  public static let articlesWidth = Self(rawValue: "articles-width")
  public static let textWidth = Self(rawValue: "text-width")
  /// The name of the last choice of `send`.
  public static let sending = Self(rawValue: "send")
  /// The last time until which something was snoozed, as typed.
  public static let snooze = Self(rawValue: "snooze")
  /// The folders that were shown alone last, as typed, or "all".
  public static let focus = Self(rawValue: "focus")
  /// The version that was started last.
  public static let version = Self(rawValue: "version")

  public static func view(of list: String) -> Self { Self(rawValue: "view " + list) }

  /// The setting of the configuration that overrides the choice, if there is one.
  public var name: String { self == .rows ? "lists.rows" : "reader.\(rawValue)" }
}

/// A setting of the configuration file with its value, for a list.
public nonisolated struct SettingValueRow: Sendable, Equatable, Identifiable {
  /// "reader.text-width".
  public var id: String
  /// The value that applies, as typed; `nil` without a value.
  public var value: String?
  public var usual: String?
  public var isInFile: Bool
  /// The valid values; empty if others are allowed.
  public var choices: [String]
  public var sentence: String

  package init(_ setting: Setting, value: String?, isInFile: Bool, choices: [String]) {
    (id, self.value, self.isInFile, self.choices) = (setting.path, value, isInFile, choices)
    usual = setting.hasDefault ? setting.example.filter { $0 != "\"" } : nil
    sentence = setting.sentence
    if value == nil { self.value = usual }
  }
}

/// Data for adding an account.
public nonisolated struct AccountSignIn: Sendable, Equatable {
  public var kind: Account.Kind
  public var url: String
  public var user: String
  public var password: Password

  package init(kind: Account.Kind, url: String, user: String, password: Password) {
    (self.kind, self.url, self.user, self.password) = (kind, url, user, password)
  }
}

/// The reason why an action failed.
public nonisolated struct ActionFailure: Error, Sendable, Equatable {
  /// A single sentence without its full stop, or several with it.
  public var sentence: String
  /// True if the attempt was ended because it took too much time or memory.
  public var isCostly: Bool
  public init(_ sentence: String, isCostly: Bool = false) {
    (self.sentence, self.isCostly) = (sentence, isCostly)
  }
}

/// The content of a pack, as typed.
public nonisolated struct PackRequest: Sendable, Equatable {
  /// The maximum size, such as "200M".
  public var budget: String
  /// The search that selects the articles. If empty, articles kept for later come first, then
  /// starred unread ones, then other unread ones.
  public var query = ""
  public var audio = false

  package init(budget: String, query: String = "", audio: Bool = false) {
    (self.budget, self.query, self.audio) = (budget, query, audio)
  }
}
