import FeedModel
internal import TextRules

/// A video, recording or post of another site in a frame.
struct Embed {
  /// The page of the content, if the frame's address reveals it.
  let address: String
  /// The title and the site.
  let label: String

  private enum Kind: String {
    case film = "▶ "
    case recording = "♪ "
    case post = ""

    var name: String {
      switch self {
      case .film: "Video"
      case .recording: "Audio"
      case .post: "Post"
      }
    }
  }

  private static let sites: [(part: StaticString, kind: Kind)] = [
    ("youtube.com/embed", .film), ("youtube-nocookie.com/embed", .film),
    ("player.vimeo.com", .film), ("dailymotion.com/embed", .film), ("/videos/embed/", .film),
    ("embed.ted.com", .film), ("archive.org/embed", .film), ("player.twitch.tv", .film),
    ("facebook.com/plugins/video", .film), ("tiktok.com/embed", .film),
    ("w.soundcloud.com", .recording), ("open.spotify.com/embed", .recording),
    ("bandcamp.com/embed", .recording), ("embed.podcasts.apple.com", .recording),
    ("embed.music.apple.com", .recording), ("player.simplecast.com", .recording),
    ("play.libsyn.com/embed", .recording), ("html5-player.libsyn.com", .recording),
    ("buzzsprout.com", .recording), ("podbean.com/player", .recording),
    ("playlist.megaphone.fm", .recording), ("embed.acast.com", .recording),
    ("omny.fm", .recording), ("mixcloud.com/widget", .recording),
    ("platform.twitter.com/embed", .post), ("embed.bsky.app", .post),
    ("instagram.com/p/", .post), ("instagram.com/reel/", .post), ("embed.reddit.com", .post),
    ("facebook.com/plugins/post", .post),
  ]

  private static let emptyTitles: Set<String> = [
    "", "youtube video player", "vimeo video player", "video player", "embedded content",
    "embedded video", "spotify embed", "post",
  ]

  /// Returns `nil` for other frames: advertisements, forms, boxes of the site.
  init?(_ node: PageNode) {
    guard node.tag == .iframe, let source = PictureSource.address(in: node.attributes),
      source.contains("/")
    else { return nil }
    let lower = source.lowercased()
    let isMastodon = node["class"]?.contains("mastodon-embed") == true
    guard
      let kind = isMastodon ? .post : Self.sites.first(where: { lower.holds($0.part) })?.kind
    else { return nil }
    address = Self.page(source.hasPrefix("//") ? "https:" + source : source)
    let title = HTMLContent.plainText(node["title"] ?? "")
    let name = Self.emptyTitles.contains(title.lowercased()) ? kind.name : title
    label = kind.rawValue + name + (WebAddress(address).site.map { " — " + $0 } ?? "")
  }

  /// True for a quoted post of another site.
  static func isPost(_ node: PageNode) -> Bool {
    guard node.tag == .blockquote, let names = node["class"] else { return false }
    return ["twitter-tweet", "mastodon-embed", "bluesky-embed", "instagram-media", "tiktok-embed"]
      .contains { names.contains($0) }
  }

  /// Converts "https://www.youtube.com/embed/abc?rel=0" to "https://www.youtube.com/watch?v=abc".
  private static func page(_ frame: String) -> String {
    func name(after part: String) -> String? {
      guard let range = frame.firstRange(of: part) else { return nil }
      let name = frame[range.upperBound...].prefix {
        $0.isLetter || $0.isNumber || "-_".contains($0)
      }
      return name.isEmpty || name == "videoseries" ? nil : String(name)
    }
    for part in ["youtube.com/embed/", "youtube-nocookie.com/embed/"] {
      if let film = name(after: part) { return "https://www.youtube.com/watch?v=" + film }
    }
    if let film = name(after: "player.vimeo.com/video/") { return "https://vimeo.com/" + film }
    if let film = name(after: "dailymotion.com/embed/video/") {
      return "https://www.dailymotion.com/video/" + film
    }
    return frame
  }
}
