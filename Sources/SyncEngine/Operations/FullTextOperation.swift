import FeedModel
import FeedParsing
import FeedStore
import Networking

/// The page of one article: fetched with the manners of any fetch, and its article taken out. It writes
/// nothing itself.
struct FullTextOperation: Sendable {
  /// How the part on the network ended.
  typealias Answer = Result<PageResponse, FetchFailure>

  let task: FullTextTask
  let fetcher: Fetcher
  let pool: ParsingPool

  /// What is known without asking: the address is none of the web's, or its host wants peace.
  func foregone() -> FullText.State? {
    guard WebAddress(task.url).isHTTP else { return failed(.unsupportedScheme) }
    return fetcher.pauseStatus(of: task.url).map { failed(.rateLimited, status: $0) }
  }

  /// A feed may name any page; only its own host leads into a private network.
  func fetch() async -> Answer {
    let isOwnHost = WebAddress(task.url).hostKey == WebAddress(task.feedURL).hostKey
    do throws(FetchFailure) {
      return .success(try await fetcher.page(task.url, allowsPrivateAddress: isOwnHost))
    } catch {
      return .failure(error)
    }
  }

  func digest(_ answer: Answer) async -> FullText.State {
    let page: PageResponse
    switch answer {
    case .failure(let error):
      let (kind, detail) = error.fact
      return failed(kind, detail: detail)
    case .success(let value): page = value
    }
    let host = WebAddress(page.finalURL).hostKey ?? ""
    guard page.status == 200 else { return .failed(fetcher.refusal(page, of: task.url)) }
    fetcher.hosts.answeredWell(host)
    switch await pool.article(page) {
    case .success(let content): return .found(html: content.html)
    case .failure(.empty): return failed(.empty)
    case .failure(.webPage): return failed(.noArticle)
    case .failure(let error): return failed(.noArticle, detail: error.fact)
    }
  }

  private func failed(
    _ kind: RefreshFailure.Kind, status: Int? = nil, detail: String? = nil
  ) -> FullText.State {
    let words = detail.flatMap { $0.isEmpty ? nil : $0 }
    return .failed(
      RefreshFailure(kind: kind, status: status, detail: words, since: fetcher.date()))
  }
}
