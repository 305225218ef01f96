// Passwords of remote accounts: input, storage and look-up. Cache and engine store none.

internal import Foundation
internal import Programs

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

/// The output of a user's program, which is run without a shell.
package enum ProgramOutput {
  /// Time limit, since a keyring may ask its owner first.
  private static let timeout = Duration.seconds(60)
  private static let limit = 64 << 10

  package static func password(of words: [String]) async throws(CommandFailure) -> Password {
    let output = try await bytes(of: words)
    let line = output.prefix { $0 != 0x0A && $0 != 0x0D }
    guard !line.isEmpty else {
      throw CommandFailure("\(ProgramRunner.name(words)) printed no password.")
    }
    return Password(String(decoding: line, as: UTF8.self))
  }

  static func bytes(of words: [String], input: String = "") async throws(CommandFailure) -> [UInt8]
  {
    do throws(ProgramRunner.Failure) {
      return try await ProgramRunner(timeout: timeout, outputLimit: limit)
        .output(of: words, input: Array(input.utf8))
    } catch {
      let reason = DetailWording.words(error.detail)
      throw CommandFailure("\(ProgramRunner.name(words)) gave no password: \(reason).")
    }
  }
}
