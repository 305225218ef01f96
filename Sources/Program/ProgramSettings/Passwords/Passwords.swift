// Passwords of remote accounts: input, storage and look-up. Cache and engine store none.

package import FeedModel
import Foundation

package struct PasswordOwner: Sendable, Hashable {
  let url: String
  let user: String

  package init(url: String, user: String) { (self.url, self.user) = (url, user) }
}

/// Sources of passwords: a program of the user, the desktop's keyring, or else a file that only its
/// owner may read.
package struct Passwords: Sendable {
  /// The place of a password. The raw value completes the sentence "The password is …".
  package enum Place: String, Sendable {
    case keyring = "in the keyring"
    case file = "in a file that only you may read"
  }

  let keyring: Keyring?
  let file: PasswordFile

  package init(directory: String, keyring: Keyring? = .ofDesktop) {
    self.keyring = keyring
    file = PasswordFile(directory: directory)
  }

  /// - Parameter command: a program that prints the password, and its arguments; `nil` to use the
  /// stored password.
  package func password(of owner: PasswordOwner, command: [String]?) async throws(CommandFailure)
    -> Password?
  {
    if let command { return try await ProgramOutput.password(of: command) }
    if let password = try file.password(of: owner) { return password }
    return try await keyring?.password(of: owner)
  }

  /// Stores a password in the keyring, or in the file if that fails (a keyring may be locked).
  package func save(_ password: Password, of owner: PasswordOwner) async throws(CommandFailure)
    -> Place
  {
    if let keyring, (try? await keyring.save(password, of: owner)) != nil {
      try file.forget(owner)
      return .keyring
    }
    try file.save(password, of: owner)
    return .file
  }

  /// Removes a password; a keyring that does not answer still has it.
  package func forget(_ owner: PasswordOwner) async throws(CommandFailure) {
    try file.forget(owner)
    try? await keyring?.forget(owner)
  }
}
