import ArgumentParser
import Foundation
import ProgramSettings

struct AddCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add feeds.",
    discussion: """
      If the address is a web page, Weir looks for its feeds: one is added, several are listed for \
      you to choose from with --choose. The articles come with the next sync, or at once if the reader \
      is open.

      If a page has no feed, its groups of headlines are listed: the one that you choose is followed \
      like a feed. If the address is a list of feeds (OPML), --choose 1 follows it: Weir subscribes to \
      the feeds that it names, in a folder of its name, and later to what it adds; what it removes is \
      unsubscribed, except feeds in which you starred, tagged or changed something. weir import takes \
      the feeds of a list once.

      A file or the output of a program can be a feed too, written as in newsboat: file:PATH, \
      'exec:~/bin/program argument', 'filter:~/bin/program:https://example.org/page' (the program gets \
      the page and prints a feed). They are not run by a shell: quotes group words, ~/ is your home, \
      nothing else is special.
      """)

  @Argument(help: ArgumentHelp("A feed’s address, or a web page’s.", valueName: "url"))
  var urls: [String]

  @Option(
    help: ArgumentHelp("The folder to put them in; a/b is folder b in a.", valueName: "name"),
    completion: .folders)
  var folder: String?

  @Option(
    help: ArgumentHelp("The number of the feed to add, if several are listed.", valueName: "number")
  )
  var choose: Int?

  @Flag(help: "Add the addresses unchecked, as they are.") var unchecked = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in session: Session) async throws {
    let subscriptions = try session.store.reader.feeds.subscriptions()
    let path = folder.map { FolderArgument.find($0, in: subscriptions).path } ?? []
    var hasFailed = false
    for url in urls {
      do {
        if !LocalSource.claims(url) { try requireSubscriptions(in: path, subscriptions, session) }
        let candidate = try await candidate(for: url, session)
        try await subscribe(candidate, path, session)
      } catch let failure as CommandFailure {
        Console.complain(failure.sentence)
        hasFailed = true
      }
    }
    if hasFailed { throw ExitCode(CommandFailure.Code.failed.rawValue) }
  }

  /// Throws before any request if the feed would belong to an account that cannot subscribe.
  private func requireSubscriptions(
    in path: [String], _ subscriptions: Subscriptions, _ session: Session
  ) throws {
    let folder = subscriptions.folders.first { $0.parent == nil && $0.title == path.first }
    guard
      let account = try folder?.account.flatMap({ try session.store.reader.accounts.account($0) }),
      account.kind == .fever
    else { return }
    throw CommandFailure(StoreError.fixedSubscriptions(account: account.title))
  }

  private func candidate(for url: String, _ session: Session) async throws -> FeedCandidate {
    if LocalSource.claims(url) { return try await ownCandidate(for: url, session) }
    if unchecked { return FeedCandidate(url: try WebAddress(typed: url).text) }
    switch try await session.discoverer().discover(url) {
    case .found(let candidates): return try choose(candidates, at: url)
    case .failed(let failure):
      throw CommandFailure(Self.sentence(failure, url: url))
    case .waiting:
      throw CommandFailure("The search at \(url) did not end. Try again.")
    }
  }

  /// Returns the only feed, or the listed candidate with the given number.
  private func choose(_ candidates: [FeedCandidate], at url: String) throws -> FeedCandidate {
    // A password in the address must not be printed.
    let page = WebAddress.withoutUserInfo(url)
    if candidates.count == 1, candidates[0].kind == .feed { return candidates[0] }
    if let choose {
      guard candidates.indices.contains(choose - 1) else {
        throw CommandFailure("\(page) has nothing with the number \(choose).")
      }
      return candidates[choose - 1]
    }
    let feeds = candidates.map { WebAddress.withoutUserInfo($0.url) }
    let (found, advice): (String, String) =
      switch candidates[0].kind {
      case .feed: ("has \(feeds.count) feeds", "Add the feed that you want")
      case .list: ("is a list of feeds that you can follow", "Follow it")
      case .headlines:
        ("has no feed, but headlines that you can follow", "Follow those that you want")
      }
    try Console.print("\(page) \(found):")
    for (index, candidate) in candidates.enumerated() {
      let title = candidate.title.map { "  \($0)" } ?? ""
      let line = ListWording.summary(candidate) ?? "\(Confusables.shown(feeds[index]))\(title)"
      try Console.print("  \(index + 1)  \(line)")
    }
    throw CommandFailure("Nothing was added yet. \(advice): weir add --choose 1 \(page)")
  }

  /// Returns a file or a program as a candidate, read or run once unless `unchecked`.
  private func ownCandidate(for typed: String, _ session: Session) async throws -> FeedCandidate {
    let address = Self.absolute(typed)
    guard let source = LocalSource(address) else {
      throw CommandFailure(
        "\(typed) cannot be read as a file or a program. Write file:PATH, \u{2018}exec:PROGRAM "
          + "ARGUMENT\u{2019} or \u{2018}filter:PROGRAM:https://HOST/PAGE\u{2019}.")
    }
    if unchecked { return FeedCandidate(url: address) }
    switch try await session.discoverer().check(source, address: address) {
    case .found(let candidates) where !candidates.isEmpty: return candidates[0]
    case .failed(let failure): throw CommandFailure(Self.sentence(failure, url: address))
    case .found, .waiting: throw CommandFailure("\(typed) gave no feed.")
    }
  }

  /// Returns `file:feed.xml` with an absolute path, since the engine may run elsewhere.
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
    let (store, url, isFeed) = (session.store, candidate.url, candidate.kind == .feed)
    do {
      if !isFeed { session.log.info("follows \(url)") }
      let (id, isRepaired) = try await store.reader.feeds.add(candidate, in: path, mayBeOwn: true)
      if isFeed {
        try await store.maintenance.importTitle(id, candidate.title ?? "")
        session.log.info("subscribed to \(url)")
      }
      let what =
        switch candidate.kind {
        case .feed: "Added"
        case .list: "Following the list"
        case .headlines: isRepaired ? "New headlines for" : "Following the headlines of"
        }
      let name = candidate.title ?? (isFeed ? url : HiddenSecrets.name(of: url))
      try say(what, id, name, path.isEmpty ? "" : " in \(path.joined(separator: "/"))")
    } catch let error as StoreError {
      guard case .alreadySubscribed(let id) = error else { throw CommandFailure(error) }
      try await store.reader.feeds.confirmAddress(id)
      try say("You already have", id, try store.reader.feeds.feed(id)?.name ?? url, "")
    }
  }

  private func say(_ what: String, _ id: FeedID, _ name: String, _ place: String) throws {
    try Console.print(
      "\(what) \u{201C}\(SafeText.withoutSecrets(name))\u{201D}\(place) (feed \(id.rawValue))")
  }

  static func sentence(_ failure: RefreshFailure, url: String) -> String {
    let what = FailureWording.now.happened(failure, at: url)
    let remedy: String =
      switch failure.kind {
      case .notAFeed, .empty: "Look for the feed’s own address on the site."
      case .unsupportedScheme: "Give an address that begins with https:// or http://."
      case .rateLimited,
        .httpStatus where (500..<600).contains(failure.status ?? 0):
        "Try again later, or add it unchecked: weir add --unchecked " + url
      case .pageChanged, .notAList, .httpStatus, .gone: "Check the address."
      case .unauthorized: FailureWording.credentialsAdvice
      case .programFailed, .unreadableFile:
        "Correct it, or add it unchecked: weir add --unchecked " + url
      default:
        "Check the address and your connection, or add it unchecked: weir add --unchecked "
          + url
      }
    return "\(what). \(remedy)"
  }
}
