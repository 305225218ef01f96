import FeedParsing

// Subscriptions whose document is not a feed: followed lists, and headlines of pages.

extension RefreshOperation {
  /// The maximum number of feeds in a plausible list.
  static let mostListed = 2_000

  /// Reads a followed list. An empty, damaged, truncated or wrong answer ends no subscription.
  func list(_ hash: String, _ response: DocumentResponse) async -> RefreshResult? {
    switch await context.pool.outline(response.body) {
    case .failure(let error): return notAList(error.detail, response)
    case .success(let outline):
      guard !outline.isDamaged else { return notAList(.damagedList, response) }
      let entries = outline.entries.filter { !$0.isList && $0.url != record.url }
      guard !entries.isEmpty else { return notAList(.emptyList, response) }
      guard entries.count <= Self.mostListed else {
        return failed(
          .tooLarge, detail: .feeds(entries.count), response, isTransient: false)
      }
      let document = ParsedFeed(format: .opml, title: outline.title ?? record.name)
      var result = refreshed(document, hash, response)
      result.list = entries
      return result
    }
  }

  /// Reports an answer that is not a list, perhaps temporarily.
  private func notAList(_ detail: FailureDetail?, _ response: DocumentResponse) -> RefreshResult {
    failed(.notAList, detail: detail, response, isTransient: true)
  }

  /// Reads the links in the chosen place as a feed.
  func headlineFeed(
    _ address: HeadlinesAddress, _ hash: String, _ response: DocumentResponse
  ) async -> RefreshResult? {
    let headlines = await context.pool.read(response) { body, type, url throws(ParseError) in
      try PageParser.headlines(at: address.selector, of: body, contentType: type, url: url)
    }
    switch headlines {
    case .success(let feed): return refreshed(feed, hash, response)
    case .failure(.webPage): return failed(.pageChanged, response, isTransient: false)
    case .failure(let error): return failed(error, response)
    }
  }
}
