import FeedModel
import FeedStore
import Foundation
import ReaderUI
import SyncEngine

/// Adding accounts and changing their passwords, for the commands and the reader: sign in, keep the
/// password, then write the row, as an engine may use it from that moment on.
struct AccountSetup {
  /// How the password is to be had.
  enum Secret {
    case password(Password)
    /// A program and its arguments.
    case command([String])
  }

  struct Request {
    var kind: Account.Kind
    var url: String
    var user: String
    var title: String?
    var secret: Secret
    /// False: nobody is asked whether all this is right.
    var isChecked = true
  }

  /// What was added.
  struct Added {
    var id: AccountID
    var url: String
    /// Nil: a program knows the password.
    var place: Passwords.Place?
  }

  let session: Session
  let passwords: Passwords

  init(_ session: Session) {
    self.session = session
    passwords = Passwords(directory: session.paths.data)
  }

  func add(_ request: Request) async throws -> Added {
    var url = try Self.address(request.url)
    guard !request.user.isEmpty else { throw CommandFailure("An account needs a user's name.") }
    let password = try await password(request.secret)
    if request.isChecked { url = await Network.controller(session).encrypted(url) ?? url }
    let found =
      request.isChecked
      ? try await signIn(request.kind, url: url, user: request.user, password) : url
    if let known = try session.store.accounts().first(where: {
      $0.kind == request.kind && $0.url == found && $0.user == request.user
    }) {
      throw Self.isKnown(known)
    }
    let owner = PasswordOwner(url: found, user: request.user)
    var command: [String]?
    var place: Passwords.Place?
    switch request.secret {
    case .command(let words): command = words
    case .password: place = try await passwords.keep(password, of: owner)
    }
    do {
      let id = try await session.store.addAccount(
        kind: request.kind, url: found, user: request.user, title: request.title,
        passwordCommand: command)
      session.log.info("account \(id.rawValue) added: \(found)")
      return Added(id: id, url: found, place: place)
    } catch {
      if place != nil { try? await passwords.forget(owner) }
      throw error
    }
  }

  /// Gives an account another password, and has it synced with it.
  func change(
    _ account: Account, to secret: Secret, isChecked: Bool
  ) async throws -> Passwords.Place? {
    let password = try await password(secret)
    if isChecked {
      try await check(account.kind, url: account.url, user: account.user, password)
    }
    switch secret {
    case .command(let words):
      try await session.store.setPasswordCommand(account.id, words)
      try await passwords.forget(account.passwordOwner)
      return nil
    case .password:
      let place = try await passwords.keep(password, of: account.passwordOwner)
      try await session.store.setPasswordCommand(account.id, nil)
      return place
    }
  }

  /// Forgets an account and its password. Returns how many changes were never sent.
  func remove(_ account: Account) async throws -> Int {
    let unsent = try await session.store.removeAccount(account.id)
    session.log.info("account \(account.id.rawValue) removed: \(account.url)")
    // One address may speak both protocols, with one password.
    if try !session.store.accounts().contains(where: { $0.passwordOwner == account.passwordOwner })
    {
      try await passwords.forget(account.passwordOwner)
    }
    return unsent
  }

  // MARK: Steps

  /// As it was typed, with https:// where it names no scheme, and without what a call adds to it.
  private static func address(_ typed: String) throws(CommandFailure) -> String {
    let text = typed.contains("://") ? typed : "https://" + typed
    var address = WebAddress(text)
    (address.query, address.fragment) = (nil, nil)
    var url = address.text
    for call in ["/accounts/ClientLogin", "/reader/api/0"] {
      if let range = url.range(of: call) { url.removeSubrange(range.lowerBound...) }
    }
    while url.hasSuffix("/") { url.removeLast() }
    guard WebAddress(url).isHTTP else {
      throw CommandFailure(
        "\(typed) is no address of a server. It must begin with https:// or http://.")
    }
    guard WebAddress(url).userInfo == nil else {
      throw CommandFailure(
        "The address holds a name or a password. Give the name as the user; the password is asked for."
      )
    }
    return url
  }

  private func password(_ secret: Secret) async throws(CommandFailure) -> Password {
    switch secret {
    case .password(let password): password
    case .command(let words): try await ProgramOutput.password(of: words)
    }
  }

  /// Where the two servers that most people run have their API, below the address of their pages or of
  /// FreshRSS's page about its APIs.
  private static func places(_ kind: Account.Kind, below url: String) -> [String] {
    let isPageOfAPIs = url.hasSuffix("/api")
    switch kind {
    case .googleReader: return [isPageOfAPIs ? "/greader.php" : "/api/greader.php"]
    case .fever: return isPageOfAPIs ? ["/fever.php"] : ["/api/fever.php", "/fever"]
    }
  }

  /// Signs in. Returns the address at which that worked: the one that was given, else below it.
  private func signIn(
    _ kind: Account.Kind, url: String, user: String, _ password: Password
  ) async throws -> String {
    guard let failure = await failure(kind, url: url, user: user, password) else { return url }
    if failure.kind == .noSuchAPI, !url.hasSuffix(".php") {
      for place in Self.places(kind, below: url) {
        guard let other = await self.failure(kind, url: url + place, user: user, password) else {
          return url + place
        }
        if other.kind != .noSuchAPI { throw Self.sentence(other, url: url + place) }
      }
    }
    throw Self.sentence(failure, url: url)
  }

  private func check(
    _ kind: Account.Kind, url: String, user: String, _ password: Password
  ) async throws(CommandFailure) {
    if let failure = await failure(kind, url: url, user: user, password) {
      throw Self.sentence(failure, url: url)
    }
  }

  private func failure(
    _ kind: Account.Kind, url: String, user: String, _ password: Password
  ) async -> AccountFailure? {
    await Network.controller(session).verify(
      kind: kind, url: url, user: user, secret: password.text)
  }

  private static func sentence(_ failure: AccountFailure, url: String) -> CommandFailure {
    let wording = AccountWording(dates: FailureWording.now.dates)
    let happened = wording.happened(failure, url: url)
    return CommandFailure("\(happened). \(AccountWording.remedy(failure, isNew: true))")
  }

  private static func isKnown(_ account: Account) -> CommandFailure {
    let owner = AccountWording.owner(user: account.user, url: account.url)
    return CommandFailure(
      "\(owner) is here already, as account \(account.id.rawValue). \u{201C}weir account password "
        + "\(account.id.rawValue)\u{201D} gives it another password.")
  }
}

extension Account {
  var passwordOwner: PasswordOwner { PasswordOwner(url: url, user: user) }
}

extension Session {
  /// What the engine asks for an account's password.
  var secret: @Sendable (Account) async throws -> String {
    let passwords = Passwords(directory: paths.data)
    let configured = configuration.accounts
    return { account in
      let command =
        configured.passwordCommand(url: account.url, user: account.user) ?? account.passwordCommand
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
