import Foundation
import ProgramSettings

/// Adds accounts and changes their passwords: signs in, stores the password, then writes the row,
/// which an engine may use at once.
struct AccountSetup {
  enum Secret {
    case password(Password)
    case command([String])
  }

  let session: Session
  let passwords: Passwords

  init(_ session: Session) {
    self.session = session
    passwords = Passwords(directory: session.paths.data)
  }

  func add(
    _ kind: Account.Kind, url: String, user: String, title: String? = nil, secret: Secret,
    isChecked: Bool
  ) async throws -> (id: AccountID, url: String, place: Passwords.Place?) {
    var candidates = try Self.candidates(url, kind)
    guard !user.isEmpty else { throw CommandFailure("An account needs a user’s name.") }
    let password = try await password(secret)
    if isChecked, let encrypted = await Network.controller(session).encrypted(candidates[0]) {
      candidates = ServerAddress.candidates(encrypted, kind: kind)
    }
    let found =
      isChecked ? try await signIn(kind, at: candidates, user: user, password) : candidates[0]
    if let known = try session.store.reader.accounts.all().first(where: {
      $0.kind == kind && $0.url == found && $0.user == user
    }) {
      throw Self.isKnown(known)
    }
    let owner = PasswordOwner(url: found, user: user)
    var command: [String]?
    var place: Passwords.Place?
    switch secret {
    case .command(let words): command = words
    case .password: place = try await passwords.save(password, of: owner)
    }
    do {
      let id = try await session.store.accounts.addAccount(
        kind: kind, url: found, user: user, title: title, passwordCommand: command)
      session.log.info("account \(id.rawValue) added: \(found)")
      return (id, found, place)
    } catch {
      if place != nil { try? await passwords.forget(owner) }
      throw error
    }
  }

  func change(
    _ account: Account, to secret: Secret, isChecked: Bool
  ) async throws -> Passwords.Place? {
    let password = try await password(secret)
    if isChecked,
      let failure = await failure(account.kind, url: account.url, user: account.user, password)
    {
      throw Self.sentence(failure, url: account.url)
    }
    switch secret {
    case .command(let words):
      try await session.store.accounts.setPasswordCommand(account.id, words)
      try await passwords.forget(account.passwordOwner)
      return nil
    case .password:
      let place = try await passwords.save(password, of: account.passwordOwner)
      try await session.store.accounts.setPasswordCommand(account.id, nil)
      return place
    }
  }

  /// - Returns: the number of unsent changes that are lost.
  func remove(_ account: Account) async throws -> Int {
    let unsent = try await session.store.accounts.removeAccount(account.id)
    session.log.info("account \(account.id.rawValue) removed: \(account.url)")
    // An address may support both protocols, with the same password.
    if try !session.store.reader.accounts.all().contains(where: {
      $0.passwordOwner == account.passwordOwner
    }) {
      try await passwords.forget(account.passwordOwner)
    }
    return unsent
  }

  /// Returns possible addresses of the API; never empty.
  private static func candidates(
    _ url: String, _ kind: Account.Kind
  ) throws(CommandFailure) -> [String] {
    let found = ServerAddress.candidates(url, kind: kind)
    guard let first = found.first else {
      throw CommandFailure(
        "\(url) isn\u{2019}t a server\u{2019}s address. It must begin with https:// or http://."
      )
    }
    guard WebAddress(first).userInfo == nil else {
      throw CommandFailure(
        "The address holds a name or a password. Give the name as the user; the password is asked for."
      )
    }
    return found
  }

  private func password(_ secret: Secret) async throws(CommandFailure) -> Password {
    switch secret {
    case .password(let password): password
    case .command(let words): try await ProgramOutput.password(of: words)
    }
  }

  /// Returns the first address that has the API. A refused password is not sent to other addresses.
  private func signIn(
    _ kind: Account.Kind, at candidates: [String], user: String, _ password: Password
  ) async throws -> String {
    var first: CommandFailure?
    for url in candidates {
      guard let failure = await failure(kind, url: url, user: user, password) else { return url }
      let sentence = Self.sentence(failure, url: url)
      // The API exists, but refuses this user.
      if failure.kind == .wrongCredentials { throw sentence }
      // Miniflux refuses forms that lack its token at all addresses but that of the API.
      guard failure.kind == .noSuchAPI || failure.kind == .refused && (failure.status ?? 0) < 500
      else { throw first ?? sentence }
      first = first ?? sentence
    }
    throw first ?? CommandFailure("An account needs an address.")
  }

  private func failure(
    _ kind: Account.Kind, url: String, user: String, _ password: Password
  ) async -> AccountFailure? {
    await Network.controller(session).verify(
      kind: kind, url: url, user: user, secret: password.text)
  }

  private static func sentence(_ failure: AccountFailure, url: String) -> CommandFailure {
    CommandFailure(
      AccountWording(dates: .current).sentences(about: failure, url: url, isNew: true))
  }

  private static func isKnown(_ account: Account) -> CommandFailure {
    let owner = AccountWording.owner(user: account.user, url: account.url)
    return CommandFailure(
      "\(owner) is already account \(account.id.rawValue). \u{201C}weir account password "
        + "\(account.id.rawValue)\u{201D} gives it another password.")
  }
}

extension Account {
  var passwordOwner: PasswordOwner { PasswordOwner(url: url, user: user) }
}

extension Session {
  /// Finds an account's password for the engine.
  var secret: @Sendable (Account) async throws -> String {
    let passwords = Passwords(directory: paths.data)
    let (configured, accounts) = (configuration.accounts, store.accounts)
    return { account in
      let own = configured.passwordCommand(url: account.url, user: account.user)
      if own == nil, let words = account.passwordCommand, !accounts.mayRun(passwordCommand: words) {
        throw AccountFailure(
          kind: .noSecret,
          detail: "\(words.joined(separator: " ")) was not allowed on this machine; allow it with "
            + "\u{201C}weir account password \(account.id.rawValue) --password-command\u{201D}",
          since: Date())
      }
      let command = own ?? account.passwordCommand
      var detail: String?
      do throws(CommandFailure) {
        let owner = account.passwordOwner
        if let found = try await passwords.password(of: owner, command: command) {
          return found.text
        }
      } catch {
        detail = SafeText.line(error.sentence).trimmingSuffix(".")
      }
      throw AccountFailure(kind: .noSecret, detail: detail, since: Date())
    }
  }
}
