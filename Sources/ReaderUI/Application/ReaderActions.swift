public import FeedModel
public import FeedStore
public import Foundation

/// What the screens need of the world beside cache and terminal; the program implements it, tests
/// stand in for it.
public protocol ReaderActions: AnyObject {
  /// The time that ages and "next try" are told by.
  func now() -> Date
  /// Opens an http(s) address, or one that the user has confirmed, with the configured program: an
  /// argv, never a shell. Must not wait for it.
  func openInBrowser(_ url: String) throws(ActionFailure)
  /// The programs that the configuration names, for the palette.
  var programNames: [String] { get }
  /// Starts a program. Returns at once or when it has given the terminal back; what it comes to later
  /// is told by `ended`: nil where it went well, else a sentence.
  func run(_ task: ProgramTask, ended: @escaping @MainActor @Sendable (ActionFailure?) -> Void)
    throws(ActionFailure)
  /// Subscribes to the bundled starter set. Returns a sentence for the status line.
  func takeStarterSet() async throws(ActionFailure) -> String
  /// Imports an OPML file or newsboat's `urls`. Returns a sentence for the status line.
  func importSubscriptions(path: String) async throws(ActionFailure) -> String
  /// Signs in to an account's server, keeps the password and adds the account. Returns a sentence for
  /// the status line. May take as long as the server does; ends when its task is cancelled.
  func addAccount(_ signIn: AccountSignIn) async throws(ActionFailure) -> String
  /// Signs in with another password and keeps that one. Returns a sentence for the status line.
  func setPassword(_ password: Password, of account: Account) async throws(ActionFailure) -> String
  /// Forgets an account, its articles and its password. Returns a sentence for the status line.
  func removeAccount(_ account: Account) async throws(ActionFailure) -> String
  /// The user wants to leave: end the run loop. Called once.
  func quit()
}

/// What an account is added with.
public nonisolated struct AccountSignIn: Sendable, Equatable {
  public var kind: Account.Kind
  /// As typed.
  public var url: String
  public var user: String
  public var password: Password

  public init(kind: Account.Kind, url: String, user: String, password: Password) {
    self.kind = kind
    self.url = url
    self.user = user
    self.password = password
  }
}

/// Why an action was not done, as a plain sentence.
public nonisolated struct ActionFailure: Error, Sendable, Equatable {
  public var sentence: String
  public init(_ sentence: String) { self.sentence = sentence }
}
