import ArgumentParser
import FeedModel
import FeedStore
import Foundation
import ReaderUI
import SyncEngine

/// `weir add`: subscribes, after a look at what is there.
struct AddCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Subscribe to feeds.",
    discussion: """
      A web page is searched for its feeds: one is taken, several are listed for you to choose. \
      The articles come with the next sync, or at once where the reader is open.

      A file and the output of a program can be feeds too, written as in newsboat: file:PATH, \
      'exec:~/bin/program argument', 'filter:~/bin/program:https://example.org/page' (the program gets \
      the page and prints a feed). No shell reads them: quotes keep words together, ~/ is your home, \
      nothing else is special.
      """)

  @Argument(help: ArgumentHelp("A feed's address, or a web page's.", valueName: "url"))
  var urls: [String]

  @Option(help: ArgumentHelp("Put them into this folder; a/b is b in a.", valueName: "name"))
  var folder: String?

  @Flag(help: "Subscribe to the addresses as they are, without a look.")
  var unchecked = false

  @OptionGroup(title: "Global options")
  var global: GlobalOptions

  func run(in session: Session) async throws {
    let path = folder.map { $0.split(separator: "/").map(String.init) } ?? []
    var hasFailed = false
    for url in urls {
      do {
        let candidate = try await candidate(for: url, session)
        try await subscribe(candidate, path, session)
      } catch let failure as CommandFailure {
        Console.complain(failure.sentence)
        hasFailed = true
      }
    }
    if hasFailed { throw ExitCode(CommandFailure.Code.failed.rawValue) }
  }

  private func candidate(for url: String, _ session: Session) async throws -> FeedCandidate {
    if OwnSource.claims(url) { return try await ownCandidate(for: url, session) }
    if unchecked {
      let address = WebAddress(url).scheme == nil ? WebAddress("https://" + url) : WebAddress(url)
      guard address.isHTTP else {
        throw CommandFailure(
          "\(url) is no address that can be fetched. It must begin with https:// or http://.")
      }
      return FeedCandidate(url: address.text)
    }
    switch try await session.discoverer().discover(url) {
    case .found(let candidates) where candidates.count == 1: return candidates[0]
    case .found(let candidates):
      // A password that was typed with the address is not printed.
      let (page, feeds) = (
        WebAddress.withoutUserInfo(url), candidates.map { WebAddress.withoutUserInfo($0.url) }
      )
      try Console.print("\(page) has \(feeds.count) feeds:")
      for (feed, candidate) in zip(feeds, candidates) {
        let title = candidate.title.map { "  \($0)" } ?? ""
        try Console.print("  \(Confusables.shown(feed))\(title)")
      }
      throw CommandFailure(
        "Nothing was added, as \(page) has several feeds. Add the one that you want: weir add \(feeds[0])"
      )
    case .failed(let failure):
      throw CommandFailure(Self.sentence(failure, url: url))
    case .waiting:
      throw CommandFailure("The search at \(url) did not end. Try again.")
    }
  }

  /// A file or a program: read or run once, unless that is not wanted.
  private func ownCandidate(for typed: String, _ session: Session) async throws -> FeedCandidate {
    let address = Self.absolute(typed)
    guard let source = OwnSource(address) else {
      throw CommandFailure(
        "\(typed) cannot be read as a file or a program. Write file:PATH, \u{2018}exec:PROGRAM "
          + "ARGUMENT\u{2019} or \u{2018}filter:PROGRAM:https://HOST/PAGE\u{2019}.")
    }
    if unchecked { return FeedCandidate(url: address) }
    switch try await session.discoverer().look(at: source, address: address) {
    case .found(let candidates) where !candidates.isEmpty: return candidates[0]
    case .failed(let failure): throw CommandFailure(Self.sentence(failure, url: address))
    case .found, .waiting: throw CommandFailure("\(typed) gave no feed.")
    }
  }

  /// `file:feed.xml` as it is seen from here: the engine may run elsewhere.
  private static func absolute(_ address: String) -> String {
    guard address.lowercased().hasPrefix("file:"), !address.hasPrefix("file://") else {
      return address
    }
    let path = address.dropFirst("file:".count)
    guard !path.isEmpty, !path.hasPrefix("/"), !path.hasPrefix("~/") else { return address }
    return "file:" + FileManager.default.currentDirectoryPath + "/" + path
  }

  private func subscribe(
    _ candidate: FeedCandidate, _ path: [String], _ session: Session
  ) async throws {
    let store = session.store
    do {
      let folder = path.isEmpty ? nil : try await store.folder(path: path)
      let id = try await store.subscribe(
        url: candidate.url, title: candidate.title, folder: folder, mayBeOwn: true)
      session.log.info("subscribed to \(candidate.url)")
      let place = path.isEmpty ? "" : " in \(path.joined(separator: "/"))"
      try say("Added", id, candidate.title ?? candidate.url, place)
    } catch let error as StoreError {
      guard case .alreadySubscribed(let id) = error else { throw CommandFailure(error) }
      try say("Known already:", id, try store.feed(id)?.name ?? candidate.url, "")
    }
  }

  private func say(_ what: String, _ id: FeedID, _ name: String, _ place: String) throws {
    try Console.print("\(what) \(id.rawValue) \(SafeText.withoutSecrets(name))\(place)")
  }

  /// What happened, and what can be done about it.
  static func sentence(_ failure: RefreshFailure, url: String) -> String {
    let what = FailureWording.now.happened(
      failure, subject: FailureWording.subject(url))
    let remedy: String =
      switch failure.kind {
      case .notAFeed, .empty: "Look for the feed's own address on the site."
      case .unsupportedScheme: "Give an address that begins with https:// or http://."
      case .httpStatus, .gone: "Check the address."
      case .unauthorized:
        "Put them into the address, https://name:password@host/, or into the configuration."
      case .programFailed, .unreadableFile:
        "Mend it, or add it without a look: weir add --unchecked " + url
      default:
        "Check the address and the connection, or add it without a look: weir add --unchecked "
          + url
      }
    return "\(what). \(remedy)"
  }
}
