import FeedModel
import FeedParsing
import Foundation

/// Parses on a few threads of its own: neither the transport's thread nor the tasks that wait for the
/// network stand behind a document of 15 MB.
final class ParsingPool: Sendable {
  private let queue: OperationQueue

  init(width: Int = max(1, ProcessInfo.processInfo.activeProcessorCount - 1)) {
    queue = OperationQueue()
    queue.maxConcurrentOperationCount = width
    queue.qualityOfService = .utility
  }

  func parse(_ bytes: [UInt8], contentType: String?, baseURL: String) async
    -> Result<ParsedFeed, ParseError>
  {
    await run {
      do throws(ParseError) {
        return .success(
          try FeedParser.parse(bytes, contentType: contentType, baseURL: baseURL))
      } catch {
        return .failure(error)
      }
    }
  }

  func run<T: Sendable>(_ body: @escaping @Sendable () -> T) async -> T {
    await withCheckedContinuation { continuation in
      queue.addOperation { continuation.resume(returning: body()) }
    }
  }
}
