// The passwords of remote accounts: asking for them, keeping them, finding them again. Cache and
// engine never keep one; what belongs here ends where a backend takes it.

import FeedModel
import Foundation

/// Whose password it is.
struct PasswordOwner: Sendable, Hashable {
  /// The server's address, without a slash at its end.
  var url: String
  var user: String
}

/// Where the passwords of accounts are: a program of the user's that knows it, the desktop's
/// keyring, or if there is none a file that only its owner may read.
struct Passwords: Sendable {
  /// Where a password was put.
  enum Place: Sendable {
    case keyring, file

    /// "in the keyring", for a message.
    var name: String {
      switch self {
      case .keyring: "in the keyring"
      case .file: "in a file that only you may read"
      }
    }
  }

  let keyring: Keyring?
  let file: PasswordFile

  /// - Parameter directory: the data directory.
  init(directory: String, keyring: Keyring? = .ofDesktop) {
    self.keyring = keyring
    file = PasswordFile(directory: directory)
  }

  /// Nil if it is kept nowhere.
  /// - Parameter command: a program that prints the password, and its arguments; nil: it was kept.
  func password(of owner: PasswordOwner, command: [String]?) async throws(CommandFailure)
    -> Password?
  {
    if let command { return try await ProgramOutput.password(of: command) }
    if let password = try file.password(of: owner) { return password }
    return try await keyring?.password(of: owner)
  }

  /// Keeps a password in the keyring, else in the file: a keyring may be there and locked.
  func keep(_ password: Password, of owner: PasswordOwner) async throws(CommandFailure) -> Place {
    if let keyring, (try? await keyring.keep(password, of: owner)) != nil {
      try file.forget(owner)
      return .keyring
    }
    try file.keep(password, of: owner)
    return .file
  }

  /// Forgets it wherever it is. A keyring that does not answer keeps what it has.
  func forget(_ owner: PasswordOwner) async throws(CommandFailure) {
    try file.forget(owner)
    try? await keyring?.forget(owner)
  }
}
