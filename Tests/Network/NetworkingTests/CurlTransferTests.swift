@testable import Networking

@Suite("Transfers") struct CurlTransferTests {
  /// libcurl's own limit ends an attempt to connect; the thread sleeps until then.
  @Test("Silence is not measured before a connection is established")
  func silenceNeedsAConnection() async throws {
    let target = try RequestTarget("http://host.example/")
    let settings = CurlSettings(userAgent: "Weir/0", connectionCache: 1)
    let result = await withCheckedContinuation { continuation in
      let job = CurlJob(
        id: 1, request: HTTPRequest(url: target.url), target: target, observe: nil,
        continuation: continuation)
      do throws(TransportError) {
        let transfer = try CurlTransfer(job, settings: settings, now: 0)
        #expect(!transfer.isStalled(now: 5))
        #expect(transfer.nextCheck > 5)
        transfer.finish(.failure(TransportError(.cancelled)))
      } catch {
        continuation.resume(returning: .failure(error))
      }
    }
    #expect(throws: TransportError(.cancelled)) { try result.get() }
  }
}
