import FeedModel
import Foundation

/// Finds the feeds of well-known sites from a typed address or handle. Pure: sends no request.
/// Proposed feeds are fetched before they are offered.
package struct KnownSites: Equatable {
  package var feeds: [String] = []
  /// A page that announces the feeds; `nil` for the typed page.
  package var page: String?
  /// A directory document whose member `feedUrl` is the feed's address.
  package var directory: String?

  /// Returns `nil` for an unknown form.
  package init?(_ typed: String) {
    let text = typed.trimmingCharacters(in: .whitespacesAndNewlines)
    if let handle = Self.handle(text) {
      self = handle
      return
    }
    let whole = text.contains("://") ? text : "https://" + text
    guard text.contains("."), let site = Self.site(WebAddress(whole)) else { return nil }
    self = site
  }

  private init(feeds: [String] = [], page: String? = nil, directory: String? = nil) {
    (self.feeds, self.page, self.directory) = (feeds, page, directory)
  }

  // MARK: Handles

  private static func handle(_ text: String) -> KnownSites? {
    guard !text.contains("://"), !text.contains(where: \.isWhitespace) else { return nil }
    let parts = text.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
    switch (text.first, parts.count) {
    // Matches @name@host.example of Mastodon.
    case ("@", 3) where isName(parts[1]) && isHost(parts[2]):
      return KnownSites(feeds: ["https://\(parts[2])/@\(parts[1]).rss"])
    // Matches !community@host.example of Lemmy.
    case ("!", 2) where isName(String(parts[0].dropFirst())) && isHost(parts[1]):
      return KnownSites(feeds: ["https://\(parts[1])/feeds/c/\(parts[0].dropFirst()).xml"])
    // Matches @name.host.example of Bluesky; @name of YouTube.
    case ("@", 2) where isHost(parts[1]): return bluesky(parts[1])
    case ("@", 2) where isName(parts[1]):
      return KnownSites(page: "https://www.youtube.com/@\(parts[1])")
    default: break
    }
    if text.hasSuffix(".bsky.social"), isHost(text) { return bluesky(text) }
    let words = text.split(separator: "/").map(String.init)
    guard words.count == 2, isName(words[1]), text.hasPrefix("/") || words[0].count == 1 else {
      return nil
    }
    switch words[0] {
    case "r": return reddit(["r", words[1]])
    case "u": return reddit(["user", words[1]])
    default: return nil
    }
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || "_-".contains($0) }
  }

  private static func isHost(_ text: String) -> Bool {
    text.contains(".") && !text.hasPrefix(".") && !text.hasSuffix(".")
      && text.allSatisfy { $0.isLetter || $0.isNumber || "-.:".contains($0) }
  }

  // MARK: Sites

  private static func site(_ address: WebAddress) -> KnownSites? {
    guard address.isHTTP, let host = address.site else { return nil }
    let path = address.path.split(separator: "/").map(String.init)
    switch host {
    case "youtube.com", "m.youtube.com": return youTube(path, address)
    case "bsky.app": return path.count >= 2 && path[0] == "profile" ? bluesky(path[1]) : nil
    case "reddit.com", "old.reddit.com", "new.reddit.com": return reddit(path)
    case "github.com": return gitHub(path)
    case "gitlab.com": return gitLab(path)
    case "codeberg.org": return codeberg(path)
    case "news.ycombinator.com": return hackerNews(path, address)
    case "lobste.rs": return lobsters(path)
    case "medium.com": return medium(path)
    case "podcasts.apple.com", "itunes.apple.com": return applePodcasts(path)
    case "arxiv.org": return arXiv(path)
    default: break
    }
    if stackExchange.contains(host) || host.hasSuffix(".stackexchange.com") {
      return stackExchange(host, path)
    }
    if [".substack.com", ".medium.com", ".bandcamp.com"].contains(where: host.hasSuffix) {
      return KnownSites(feeds: ["https://\(host)/feed"])
    }
    return federated(host, path)
  }

  private static let videos = "https://www.youtube.com/feeds/videos.xml"

  /// Returns the feeds of a YouTube channel: all videos, and those without shorts. The latter are
  /// the playlist `UULF` plus the channel's name after `UC`.
  package static func channel(_ id: String) -> [String] {
    guard id.hasPrefix("UC"), isName(id) else { return [] }
    return ["\(videos)?channel_id=\(id)", "\(videos)?playlist_id=UULF\(id.dropFirst(2))"]
  }

  package static func channel(ofFeed url: String) -> String? {
    guard url.hasPrefix(videos + "?channel_id=") else { return nil }
    return String(url.dropFirst("\(videos)?channel_id=".count).prefix { $0 != "&" })
  }

  private static func youTube(_ path: [String], _ address: WebAddress) -> KnownSites? {
    if let list = query("list", address), isName(list) {
      return KnownSites(feeds: ["\(videos)?playlist_id=\(list)"])
    }
    guard let first = path.first else { return nil }
    switch first {
    case "channel" where path.count > 1: return KnownSites(feeds: channel(path[1]))
    case "user" where path.count > 1 && isName(path[1]):
      return KnownSites(feeds: ["\(videos)?user=\(path[1])"])
    case "c" where path.count > 1:
      return KnownSites(page: "https://www.youtube.com/c/\(path[1])")
    case _ where first.hasPrefix("@"): return KnownSites(page: "https://www.youtube.com/\(first)")
    default: return nil
    }
  }

  private static func bluesky(_ name: String) -> KnownSites {
    KnownSites(feeds: ["https://bsky.app/profile/\(name)/rss"])
  }

  private static func reddit(_ path: [String]) -> KnownSites? {
    guard path.count > 1, ["r", "user", "u"].contains(path[0]) else { return nil }
    let place = path[0] == "u" ? "user" : path[0]
    if path.count > 3, path[2] == "comments" {
      return KnownSites(feeds: ["https://www.reddit.com/r/\(path[1])/comments/\(path[3])/.rss"])
    }
    return KnownSites(feeds: ["https://www.reddit.com/\(place)/\(path[1])/.rss"])
  }

  /// Returns GitHub's feeds. Issues have none; their page has headlines to follow.
  private static func gitHub(_ path: [String]) -> KnownSites? {
    guard let owner = path.first, isRepository(owner) else { return nil }
    guard path.count > 1 else { return KnownSites(feeds: ["https://github.com/\(owner).atom"]) }
    let base = "https://github.com/\(owner)/\(path[1])"
    switch path.dropFirst(2).first {
    case let part? where ["releases", "tags", "discussions"].contains(part):
      return KnownSites(feeds: ["\(base)/\(part).atom"])
    case let part? where ["issues", "pulls"].contains(part):
      return KnownSites(page: "\(base)/\(part)")
    case "commits", "tree":
      let branch = path.dropFirst(3).joined(separator: "/")
      return KnownSites(feeds: [
        base + (branch.isEmpty ? "/commits" : "/commits/\(branch)") + ".atom"
      ])
    default:
      return KnownSites(
        feeds: [base + "/releases.atom", base + "/commits.atom", base + "/tags.atom"])
    }
  }

  private static func isRepository(_ text: String) -> Bool {
    !["features", "about", "pricing", "login", "explore", "topics", "marketplace"].contains(text)
      && text.allSatisfy { $0.isLetter || $0.isNumber || "_-.".contains($0) }
  }

  /// Returns GitLab's feeds. Groups can be nested; parts of a project follow `-`.
  private static func gitLab(_ path: [String]) -> KnownSites? {
    let place = path.prefix { $0 != "-" }
    guard place.count > 1 else { return nil }
    let base = "https://gitlab.com/" + place.joined(separator: "/")
    let behind = path.dropFirst(place.count + 1)
    switch behind.first {
    case let part? where ["releases", "issues"].contains(part):
      return KnownSites(feeds: ["\(base)/-/\(part).atom"])
    case "tags": return KnownSites(feeds: [base + "/-/tags?format=atom"])
    case "commits" where behind.count > 1, "tree" where behind.count > 1:
      let branch = behind.dropFirst().joined(separator: "/")
      return KnownSites(feeds: [base + "/-/commits/\(branch)?format=atom"])
    default:
      return KnownSites(feeds: [base + "/-/releases.atom", base + ".atom", base + "/-/issues.atom"])
    }
  }

  private static func codeberg(_ path: [String]) -> KnownSites? {
    guard let owner = path.first, isRepository(owner) else { return nil }
    guard path.count > 1 else { return KnownSites(feeds: ["https://codeberg.org/\(owner).rss"]) }
    let base = "https://codeberg.org/\(owner)/\(path[1])"
    guard let part = path.dropFirst(2).first, ["releases", "tags"].contains(part) else {
      return KnownSites(feeds: [base + ".rss", base + "/releases.rss"])
    }
    return KnownSites(feeds: ["\(base)/\(part).rss"])
  }

  /// Returns the site's feed for its front page, and feeds of hnrss.org for other pages.
  private static func hackerNews(_ path: [String], _ address: WebAddress) -> KnownSites? {
    let id = query("id", address).flatMap { isName($0) ? $0 : nil }
    switch (path.first, id) {
    case (nil, _), ("news", _), ("rss", _):
      return KnownSites(feeds: ["https://news.ycombinator.com/rss"])
    case ("item", let id?): return KnownSites(feeds: ["https://hnrss.org/item?id=\(id)"])
    case ("user", let id?), ("submitted", let id?):
      return KnownSites(feeds: ["https://hnrss.org/user?id=\(id)"])
    case ("newest", _), ("ask", _), ("show", _), ("jobs", _), ("best", _):
      return KnownSites(feeds: ["https://hnrss.org/\(path[0])"])
    default: return nil
    }
  }

  private static func lobsters(_ path: [String]) -> KnownSites? {
    switch path.first {
    case nil: return KnownSites(feeds: ["https://lobste.rs/rss"])
    case "t" where path.count > 1: return KnownSites(feeds: ["https://lobste.rs/t/\(path[1]).rss"])
    case "newest":
      let user = path.count > 1 ? "/\(path[1])" : ""
      return KnownSites(feeds: ["https://lobste.rs/newest\(user).rss"])
    case let name? where name.hasPrefix("~"):
      return KnownSites(feeds: ["https://lobste.rs/newest/\(name.dropFirst()).rss"])
    default: return nil
    }
  }

  private static let stackExchange: Set<String> = [
    "stackoverflow.com", "serverfault.com", "superuser.com", "askubuntu.com", "mathoverflow.net",
    "stackapps.com",
  ]

  private static func stackExchange(_ host: String, _ path: [String]) -> KnownSites? {
    let base = "https://\(host)/feeds"
    switch (path.first, path.dropFirst().first) {
    case (nil, _): return KnownSites(feeds: [base])
    case ("questions", "tagged") where path.count > 2:
      return KnownSites(feeds: ["\(base)/tag?tagnames=\(path[2])&sort=newest"])
    case ("questions", let id?) where id.allSatisfy(\.isNumber):
      return KnownSites(feeds: ["\(base)/question/\(id)"])
    case ("users", let id?) where id.allSatisfy(\.isNumber):
      return KnownSites(feeds: ["\(base)/user/\(id)"])
    case ("questions", nil): return KnownSites(feeds: [base])
    default: return nil
    }
  }

  private static func medium(_ path: [String]) -> KnownSites? {
    guard let first = path.first, first != "feed" else { return nil }
    if first == "tag", path.count > 1 {
      return KnownSites(feeds: ["https://medium.com/feed/tag/\(path[1])"])
    }
    return KnownSites(feeds: ["https://medium.com/feed/\(first)"])
  }

  /// Returns the directory, which knows the feed; the page may not name it.
  private static func applePodcasts(_ path: [String]) -> KnownSites? {
    guard let part = path.last(where: { $0.hasPrefix("id") }) else { return nil }
    let id = part.dropFirst(2)
    guard !id.isEmpty, id.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    return KnownSites(directory: "https://itunes.apple.com/lookup?id=\(id)&entity=podcast")
  }

  private static func arXiv(_ path: [String]) -> KnownSites? {
    guard path.count > 1, ["list", "archive"].contains(path[0]),
      path[1].allSatisfy({ $0.isLetter || $0.isNumber || "-.".contains($0) })
    else { return nil }
    return KnownSites(feeds: ["https://rss.arxiv.org/rss/\(path[1])"])
  }

  /// Guesses feeds of software on many hosts: Lemmy's communities and users, Mastodon's profiles of
  /// other hosts. If the guess is wrong, the page is searched.
  private static func federated(_ host: String, _ path: [String]) -> KnownSites? {
    guard path.count <= 2, let first = path.first else { return nil }
    if path.count == 2, ["c", "u"].contains(first), isName(path[1]) {
      return KnownSites(feeds: ["https://\(host)/feeds/\(first)/\(path[1]).xml"])
    }
    guard path.count == 1, first.hasPrefix("@") else { return nil }
    let parts = first.dropFirst().components(separatedBy: "@")
    let home = parts.count == 2 ? parts[1] : host
    guard isName(parts[0]), parts.count == 1 || parts.count == 2 && isHost(home) else { return nil }
    return KnownSites(feeds: ["https://\(home)/@\(parts[0]).rss"])
  }

  private static func query(_ name: String, _ address: WebAddress) -> String? {
    address.query?.split(separator: "&").first { $0.hasPrefix(name + "=") }
      .map { String($0.dropFirst(name.count + 1)) }
  }

  // MARK: Pages that announce nothing

  /// Returns the usual addresses of feeds on a host and beside the page; few, as each costs a
  /// request.
  package static func usualPaths(for page: String) -> [String] {
    var address = WebAddress(page).withoutUserInfo
    address.query = nil
    address.fragment = nil
    let files = ["rss.xml", "atom.xml", "feed.xml", "index.xml"]
    var paths = ["/feed"] + files.map { "/" + $0 } + ["/rss", "/feed.json"]
    let parts = address.path.split(separator: "/")
    if let last = parts.last {
      // The page `/blog/` may be the blog's, and `/blog/post/` beside it.
      let isTop = parts.count == 1 && address.path.hasSuffix("/")
      let folder = (isTop ? parts[...] : parts.dropLast()).map { "/" + $0 }.joined()
      if folder.contains(where: \.isLetter) {
        paths.insert(contentsOf: files.map { "\(folder)/\($0)" }, at: 1)
      }
      if !last.contains(".") {
        paths.insert(parts.map { "/" + $0 }.joined() + "/feed", at: 1)
      }
    }
    return paths.prefix(8).map { path in
      address.path = path
      return address.text
    }
  }

  /// Returns `feedUrl` of a directory's answer if it can be fetched.
  package static func feedURL(inDirectory body: [UInt8]) -> String? {
    struct Answer: Decodable {
      struct Entry: Decodable { var feedUrl: String? }
      var results: [Entry]
    }
    let answer = try? JSONDecoder().decode(Answer.self, from: Data(body))
    return answer?.results.lazy.compactMap(\.feedUrl).first { WebAddress($0).isHTTP }
  }
}
