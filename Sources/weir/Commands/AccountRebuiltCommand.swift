import ArgumentParser
import FeedModel
import FeedStore
import ReaderUI

/// `weir account rebuilt`: decides what becomes of the articles of a server that was rebuilt.
struct AccountRebuiltCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "rebuilt",
    abstract: "Decide what becomes of articles whose server was rebuilt.",
    discussion: """
      A server that was rebuilt has other keys for the same articles. Weir notices that it knows none \
      of them, changes nothing and sends nothing until you decide. Both choices match the articles by feed \
      and address; what the server does not have stays here as it is.
      """)

  enum Choice: String, ExpressibleByArgument, CaseIterable {
    case match
    case server
  }

  @Argument(help: "The account: number, title, or part of the address.", completion: .accounts)
  var account: String

  @Argument(
    help:
      "match (send what is read and starred here) or server (take over the server\u{2019}s states)."
  )
  var choice: Choice

  @OptionGroup(title: "Global options")
  var global: GlobalOptions

  func run(in session: Session) async throws {
    let account = try AccountArgument.find(account, in: session.store)
    guard account.state.isRebuilt else {
      throw CommandFailure(
        "\(account.title) has the articles that Weir knows; there is nothing to decide.")
    }
    try await session.store.reader.answerRebuild(
      of: account.id, choice == .match ? .match : .takeServer)
    try Console.print("\(account.title): the next sync matches the articles")
    Console.note("weir account sync does it now.")
  }
}
