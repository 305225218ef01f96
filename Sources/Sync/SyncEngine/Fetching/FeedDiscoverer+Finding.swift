import FeedParsing

// The places of a search for feeds: known sites, usual addresses, lists of feeds, and headlines of
// pages.

extension FeedDiscoverer {
  /// Returns the feeds of a known site; `nil` if none exist.
  func feeds(of site: KnownSites) async throws(CancellationError) -> [FeedCandidate]? {
    var found = await verified(site.feeds, .user)
    if let directory = site.directory, let url = try await feedURL(in: directory) {
      found = await verified([url], AddressSource(referrers: [directory], access: .denied))
    }
    if Task.isCancelled { throw CancellationError() }
    return found.isEmpty ? nil : found
  }

  /// Returns the feeds among the candidates, in order.
  private func verified(_ urls: [String], _ source: AddressSource) async -> [FeedCandidate] {
    await previews(of: urls.prefix(Self.previews)) { _ in source }.compactMap {
      if case .feed(let candidate) = $1 { candidate } else { nil }
    }
  }

  /// Returns the address that a directory's answer names.
  private func feedURL(in directory: String) async throws(CancellationError) -> String? {
    guard fetcher.pauseStatus(of: directory) == nil else { return nil }
    do throws(FetchFailure) {
      let answer = try await fetcher.fetch(directory)
      return answer.status == 200 ? KnownSites.feedURL(inDirectory: answer.body) : nil
    } catch {
      if error.isCancelled { throw CancellationError() }
      return nil
    }
  }

  /// Returns the first feed at a usual path of a page's host, preferably not of comments. Sends one
  /// request after another, and stops if the host is in back-off or does not answer.
  func usualFeed(of page: Document) async throws(CancellationError) -> FeedCandidate? {
    var comments: FeedCandidate?
    for url in KnownSites.usualPaths(for: page.response.finalURL) {
      switch try await document(url, from: page.source(of: url)) {
      case .success(let document):
        guard case .success(let feed) = document.parsed else { continue }
        let candidate = Self.candidate(url, feed)
        // The page of a post often has an empty feed of comments below it.
        let isBelow = WebAddress(url).path.dropFirst().contains("/")
        if !Self.isAboutComments(candidate), !isBelow || !feed.items.isEmpty { return candidate }
        if comments == nil, !feed.items.isEmpty { comments = candidate }
      case .failure(let failure):
        if failure.kind == .rateLimited || failure.status == nil || failure.status == 503 {
          return comments
        }
      }
    }
    return comments
  }

  /// Removes feeds of comments if there is one feed of posts, because nearly all pages of WordPress
  /// announce both, and those without comments.
  static func withoutComments(_ found: [FeedCandidate]) -> [FeedCandidate] {
    let posts = found.filter { !isAboutComments($0) }
    return posts.count == 1
      ? posts : found.filter { !isAboutComments($0) || !$0.latestTitles.isEmpty }
  }

  private static func isAboutComments(_ candidate: FeedCandidate) -> Bool {
    let address = WebAddress(candidate.url)
    let place = "\(address.path)?\(address.query ?? "")".lowercased()
    return place.contains("comment")
      || candidate.title?.lowercased().hasPrefix("comments ") == true
  }

  /// Adds the feed without Shorts after each YouTube channel.
  func withoutShorts(_ found: [FeedCandidate]) async -> [FeedCandidate] {
    var all: [FeedCandidate] = []
    for candidate in found {
      all.append(candidate)
      guard let id = KnownSites.channel(ofFeed: candidate.url) else { continue }
      let others = KnownSites.channel(id).filter { $0 != candidate.url }
      all += await verified(
        others, AddressSource(referrers: [candidate.url], access: .denied))
    }
    return all
  }

  /// Returns a followable list of feeds; `nil` if there is none or it is damaged.
  func list(_ document: Document) async -> FeedCandidate? {
    guard case .success(let outline) = await pool.outline(document.response.body),
      !outline.isDamaged
    else {
      return nil
    }
    let feeds = outline.entries.filter { !$0.isList }
    guard !feeds.isEmpty else { return nil }
    return FeedCandidate(
      url: document.url, title: outline.title ?? WebAddress(document.url).host,
      latestTitles: feeds.prefix(Self.titles).map {
        $0.title ?? HiddenSecrets.name(of: $0.url)
      },
      kind: .list, count: feeds.count)
  }

  /// Returns the followable groups of links of a page without a feed.
  func headlines(of document: Document) async -> [FeedCandidate] {
    let (title, groups) = await pool.read(
      document.response, PageParser.headlineGroups(_:contentType:url:))
    return groups.map { group in
      FeedCandidate(
        url: HeadlinesAddress(page: document.url, selector: group.selector).text, title: title,
        latestTitles: group.headlines.prefix(Self.titles).map(\.title), kind: .headlines,
        count: group.headlines.count)
    }
  }
}
