import ArgumentParser
import ProgramSettings

struct AccountRebuiltCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "rebuilt",
    abstract: "Choose which states to keep after a server was rebuilt or set back.",
    discussion: """
      A rebuilt server has new identifiers for the same articles. Weir notices this and waits for your \
      decision. Both choices match articles by feed and address, and do not change other articles.

      A server that was restored from a backup has lost later marks. If ten or more accepted marks are \
      missing, Weir asks in the same way: match sends them again.
      """)

  enum Choice: String, ExpressibleByArgument, CaseIterable {
    case match
    case server
  }

  @Argument(help: "The account: number, title, or part of the address.", completion: .accounts)
  var account: String

  @Argument(
    help:
      "match (send the read marks and stars of this machine) or server (take over the server\u{2019}s states)."
  )
  var choice: Choice

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in session: Session) async throws {
    let account = try AccountArgument.find(account, in: session.store)
    guard let question = account.state.question else {
      throw CommandFailure(
        "\(account.title) has the articles that Weir knows; there is nothing to decide.")
    }
    try await session.store.reader.accounts.answerRebuild(
      of: account.id, choice == .match ? .match : .takeServer)
    let outcome =
      switch (question, choice) {
      case (.rebuilt, _): "matches the articles"
      case (.setBack, .match): "sends the lost marks again"
      case (.setBack, .server): "takes over the server\u{2019}s states"
      }
    try Console.print("\(account.title): the next sync \(outcome)")
    Console.note("weir account sync does it now.")
  }
}
