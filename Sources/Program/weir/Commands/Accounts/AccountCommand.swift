import ArgumentParser
import Foundation
import ProgramSettings

struct AccountCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "account",
    abstract: "Add, list, sync and remove accounts at servers, and a folder that devices share.",
    discussion: """
      Read marks, stars, tags and subscriptions (with Fever: read marks and stars) are synchronised in both \
      directions. Changes made offline are sent with the next sync.
      """,
    subcommands: [
      AccountAddCommand.self, AccountListCommand.self, AccountSyncCommand.self,
      AccountChangesCommand.self, AccountRetryCommand.self, AccountDiscardCommand.self,
      AccountPasswordCommand.self, AccountAdoptCommand.self, AccountForgetCommand.self,
      AccountRemoveCommand.self,
    ])
}

/// The kinds of accounts that can be added.
enum AccountService: String, ExpressibleByArgument, CaseIterable {
  case greader, fever, folder

  /// The protocol of a server; `nil` for a folder.
  var kind: Account.Kind? { Account.Kind(rawValue: rawValue) }
}

struct PasswordOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A program that prints the password, and its arguments. No shell reads it: quotes keep words "
        + "together, nothing else is special.", valueName: "command"))
  var passwordCommand: String?

  @Flag(help: "Do not sign in now.") var unchecked = false

  func secret(of owner: String) throws(CommandFailure) -> AccountSetup.Secret {
    guard let passwordCommand else {
      return .password(try PasswordPrompt.ask("Password of \(owner)"))
    }
    return .command(try OtherPrograms.program(typed: passwordCommand, named: [:]).arguments)
  }
}

struct AccountAddCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add an account.",
    discussion: """
      The password is read from the terminal, or from the first line of standard input. It is stored in the \
      desktop’s keyring if there is one, otherwise in a file that only you may read, unless you name a program \
      that prints it.

      FreshRSS: weir account add greader https://HOST/api/greader.php --user NAME
      Miniflux: weir account add greader https://HOST --user NAME
      Devices without a server: weir account add folder PATH

      A folder that another program carries between your machines (Syncthing, NFS, a stick) keeps them the \
      same without a server. Joining it shows the numbers of feeds and asks; without a terminal it merges.
      """)

  @Argument(
    help: "greader (the Google Reader API, of most servers), fever, or folder (without a server).")
  var kind: AccountService

  @Argument(
    help: ArgumentHelp(
      "The server’s address (in a browser, or of its API), or the path of a folder.",
      valueName: "url"))
  var url: String?

  @Option(help: ArgumentHelp("The user name at the server.", valueName: "name"))
  var user: String?

  @Flag(help: "For a folder: merge its feeds with those here, without asking.")
  var merge = false

  @Flag(help: "For a folder: take its feeds and unsubscribe all others, without asking.")
  var takeTheirs = false

  @Option(
    help: ArgumentHelp(
      "The account\u{2019}s name in Weir. For a folder: the name of this machine.",
      valueName: "name"))
  var title: String?

  @OptionGroup var password: PasswordOptions
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    guard let url else {
      throw ValidationError(
        kind == .folder ? "Give the path of the folder." : "Give the address of the server.")
    }
    if kind == .folder, url.contains("://") {
      throw ValidationError("Give the path of a folder on this machine, not an address.")
    }
    guard kind == .folder else {
      if user == nil { throw ValidationError("Give the user name at the server with --user.") }
      if merge || takeTheirs {
        throw ValidationError("--merge and --take-theirs are only for a folder.")
      }
      return
    }
    if merge, takeTheirs { throw ValidationError("Give --merge or --take-theirs, not both.") }
    if user != nil || password.passwordCommand != nil {
      throw ValidationError("A folder has no user or password.")
    }
  }

  func run(in session: Session) async throws {
    let url = url ?? ""
    guard let kind = kind.kind, let user else {
      return try await FolderSetup(session: session).join(
        url, named: title, merge ? .merge : takeTheirs ? .takeTheirs : nil)
    }
    let owner = AccountWording.owner(user: user, url: url)
    let added = try await AccountSetup(session).add(
      kind, url: url, user: user, title: title, secret: try password.secret(of: owner),
      isChecked: !password.unchecked)
    let place = added.place.map { "; the password is \($0.rawValue)" } ?? ""
    let what = password.unchecked ? "Added" : "Signed in and added"
    try Console.print(
      "\(what) account \(added.id.rawValue), \(AccountWording.owner(user: user, url: added.url))\(place)"
    )
    Console.note("weir account sync, or the open reader, fetches its feeds and articles.")
  }
}

struct AccountListCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the accounts with their unsent changes and state.")

  @Flag(help: "As JSON.") var json = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in session: Session) async throws {
    let accounts = try session.store.reader.accounts.all()
    let wording = AccountWording(dates: .current)
    if json {
      let folder = try FolderSetup(session: session).json().map { [$0] } ?? []
      return try JSONOutput.print(elements: accounts.map { $0.json(wording) } + folder)
    }
    let folder = try FolderSetup(session: session).rows()
    if accounts.isEmpty, folder.isEmpty {
      return Console.noteNoAccounts()
    }
    var table = Table([.number, .text(limit: 30), .text(limit: 40), .text(limit: 30), .last])
    for account in accounts {
      table.add([
        String(account.id.rawValue), account.title,
        AccountWording.owner(user: account.user, url: account.url),
        AccountWording.outbox(account.state.outbox) ?? "", wording.state(account),
      ])
    }
    for row in folder { table.add(row) }
    try table.print()
  }
}

struct AccountSyncCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync", abstract: "Send unsent changes of accounts, then fetch new articles.",
    discussion: """
      A server that asked Weir to wait gets one request anyway. Exit 1 when an account could not be \
      synced, or a server did not take a change: “weir account changes” lists them.
      """)

  @Argument(
    help: "Only these accounts: number, title, or part of the address; folder is the shared one.",
    completion: .accounts)
  var accounts: [String] = []
  @Flag(help: "A line of JSON for each account.") var json = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in session: Session) async throws {
    let folder = FolderSetup(session: session)
    let servers = try accounts.filter { try !folder.isNamed($0) }
    let found =
      servers.isEmpty && !accounts.isEmpty
      ? [] : try AccountArgument.find(servers, in: session.store)
    let isFolderChosen =
      try accounts.isEmpty
      ? folder.isNamed(FolderSetup.argument) : servers.count < accounts.count
    guard !found.isEmpty || isFolderChosen else {
      return Console.noteNoAccounts()
    }
    var paused: CommandFailure?
    do {
      if isFolderChosen { try await folder.sync(json: json) }
    } catch let failure as CommandFailure {
      paused = failure
    }
    for account in found { try await session.store.reader.accounts.requestAccountSync(account.id) }
    if !found.isEmpty {
      try await AccountRun(session: session, accounts: found, json: json).run(.requested)
    }
    if let paused { throw paused }
  }
}

struct AccountPasswordCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "password", abstract: "Give an account another password.")

  @Argument(help: "Number, title, or part of the address.", completion: .accounts)
  var account: String

  @OptionGroup var password: PasswordOptions
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in session: Session) async throws {
    let account = try AccountArgument.find(account, in: session.store)
    let owner = AccountWording.owner(user: account.user, url: account.url)
    let place = try await AccountSetup(session).change(
      account, to: try password.secret(of: owner), isChecked: !password.unchecked)
    try Console.print(
      "\(owner): the password is \(place?.rawValue ?? "what that program prints")")
  }
}

struct AccountRemoveCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove accounts, their feeds and articles here; the server is not changed.")

  @Argument(
    help: "Number, title, or part of the address; folder leaves the shared folder.",
    completion: .accounts)
  var accounts: [String]

  @Flag(name: .shortAndLong, help: "Even if changes have not been sent yet.") var yes = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in session: Session) async throws {
    if accounts == [FolderSetup.argument] {
      return try await FolderSetup(session: session).remove()
    }
    let found = try AccountArgument.find(accounts, in: session.store)
    for account in found where !yes {
      let unsent = account.state.outbox.waiting
      guard unsent == 0 else {
        let changes = AmountWording.changes(unsent)
        throw CommandFailure(
          "\(account.title) has \(changes) that the server does not know yet. Send them with weir account "
            + "sync, or discard them with --yes.")
      }
    }
    let setup = AccountSetup(session)
    for account in found {
      let unsent = try await setup.remove(account)
      let lost = unsent > 0 ? "; \(AmountWording.changes(unsent)) that were never sent" : ""
      try Console.print("Removed account \(account.id.rawValue), \(account.title)\(lost)")
    }
  }
}

extension Account {
  fileprivate func json(_ wording: AccountWording) -> JSONObject {
    let outbox = state.outbox
    return [
      "id": id.rawValue, "kind": kind.rawValue, "url": url, "user": user, "title": title,
      "syncing": state.isSyncing, "syncedAt": state.syncedAt, "nextSyncAt": state.nextSyncAt,
      "outbox": [
        "pending": outbox.pending, "failed": outbox.failed, "refused": outbox.refused,
      ],
      "failure": state.failure.map { failure in
        [
          "kind": failure.kind.rawValue, "status": failure.status, "since": failure.since,
          "count": failure.count, "message": wording.happened(failure, url: url),
          "remedy": AccountWording.remedy(failure, url: url),
        ] as JSONObject
      },
      "state": wording.state(self),
    ]
  }
}
