import FeedParsing

/// Requests the article of a page: the page, its further parts, and another version if the page
/// shows no article or only its beginning.
struct ArticleRequest: Sendable {
  let url: String
  let referrers: AddressReferrers
  let fetcher: Fetcher
  let pool: ParsingPool

  private static let maximumParts = 5

  struct Answer: Sendable {
    var page: DocumentResponse
    /// The article with all of its parts; `nil` if the server refused the page.
    var content: Result<MainContent, ParseError>?
  }

  /// - Throws: errors of the first page, and cancellation. Further pages may be missing.
  func send() async throws(FetchFailure) -> Answer {
    let page = try await fetcher.fetch(url, .page, from: AddressSource(referrers, of: url))
    guard page.status == 200 else { return Answer(page: page) }
    var content = await pool.article(page)
    var answered: Set<String> = [url, page.finalURL]
    func article(at address: String) async throws(FetchFailure) -> MainContent? {
      // Any of the pages so far may have named this one.
      var referrers = referrers
      referrers.pages += answered
      guard answered.insert(address).inserted, fetcher.pauseStatus(of: address) == nil else {
        return nil
      }
      let next: DocumentResponse
      do throws(FetchFailure) {
        next = try await fetcher.fetch(address, .page, from: AddressSource(referrers, of: address))
      } catch {
        if error.isCancelled { throw error }
        return nil
      }
      guard next.status == 200 else {
        _ = fetcher.refusal(next, of: address)
        return nil
      }
      // A part that redirects to an earlier one is not repeated.
      guard next.finalURL == address || answered.insert(next.finalURL).inserted else { return nil }
      return try? await pool.article(next).get()
    }
    if let address = await otherVersion(of: page, content),
      let other = try await article(at: address)
    {
      if let first = try? content.get() {
        if other.html.utf8.count > first.html.utf8.count { content = .success(first.with(other)) }
      } else {
        content = .success(other)
      }
    }
    guard case .success(var whole) = content else { return Answer(page: page, content: content) }
    var count = 1
    while count < Self.maximumParts, let address = whole.nextPart,
      let part = try await article(at: address)
    {
      whole.html += "\n" + part.html
      whole.nextPart = part.nextPart
      whole.obstacle = whole.obstacle ?? part.obstacle
      count += 1
    }
    whole.pages = answered.sorted()
    return Answer(page: page, content: .success(whole))
  }

  private func otherVersion(
    of page: DocumentResponse, _ content: Result<MainContent, ParseError>
  ) async -> String? {
    switch content {
    case .success(let content): content.otherVersion
    case .failure(.webPage): await pool.read(page, PageParser.otherVersion(of:contentType:url:))
    case .failure: nil
    }
  }

  /// Returns the article, or the reason why there is none.
  func outcome(of answer: Answer) async -> FullTextOutcome {
    guard let content = answer.content else {
      return .failed(fetcher.refusal(answer.page, of: url))
    }
    fetcher.hosts.answeredWell(WebAddress(answer.page.finalURL).hostKey ?? "")
    switch content {
    case .success(let content): return .found(content)
    case .failure(.empty): return .failed(fetcher.failure(.empty))
    case .failure(.webPage):
      return .failed(
        fetcher.failure(.noArticle, detail: await pool.obstacle(in: answer.page)))
    case .failure(let error):
      return .failed(fetcher.failure(.noArticle, detail: error.detail))
    }
  }
}

extension MainContent {
  /// Returns the text of another version of the page, with the metadata of both.
  fileprivate func with(_ other: MainContent) -> MainContent {
    var whole = MainContent(
      title: title ?? other.title, author: author ?? other.author,
      published: published ?? other.published, html: other.html, nextPart: other.nextPart)
    whole.obstacle = other.obstacle
    return whole
  }
}
