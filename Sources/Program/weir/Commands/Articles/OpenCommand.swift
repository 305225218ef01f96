import ArgumentParser
import FeedStore

struct OpenCommand: AsyncCommand {
  static let configuration = CommandConfiguration(
    commandName: "open", abstract: "Open the reader at an article.")

  @Argument(help: "The article’s number, as weir articles prints it.") var article: String
  @Flag(help: "Read without using the network.") var offline = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func runAsync() async throws {
    let (session, id) = try await Opening.showing(canQuit: true) { opening in
      let session = try await Session(global, opening)
      let id = try ArticleArgument.find(article, in: session.store).id
      try await Guide.prepare(session.store)
      return (session, id)
    }
    let code = try await ReaderRun(session: session, isOffline: offline, opening: id).run()
    session.close()
    throw ExitCode(code)
  }
}
