/// Bodies whose `Content-Encoding` libcurl does not decode, or decodes in part.
@Suite("Odd content codings") final class OddCodingTests: OriginSuite {
  private let client = NetworkClient(transport: sharedTransport)
  private let text = String(repeating: "<item>The pond</item>", count: 40)
  private var bytes: [UInt8] { Array(text.utf8) }

  private func answer(
    _ body: [UInt8], _ coding: String, isChunked: Bool = false
  ) async throws -> (text: String, log: [Origin.Request]) {
    let origin = try Origin()
    let headers = [("Content-Encoding", coding)]
    origin.on("/", isChunked ? .chunked(body, headers: headers) : .answer(body, headers: headers))
    let found = try await client.perform(DocumentRequest(HTTPRequest(url: origin.url("/"))))
    return (String(decoding: found.body, as: UTF8.self), origin.log)
  }

  @Test(
    "An unknown coding leads to one request without codings",
    arguments: [
      "utf-8", "UTF-8", "utf8", "aws-chunked", "binary", "8bit", "text/xml", "ISO-8859-1",
    ])
  func unknownCoding(coding: String) async throws {
    let (found, log) = try await answer(bytes, coding)
    #expect(found == text)
    #expect(log.count == 2)
    #expect(log.last?.header("Accept-Encoding") == "identity")
  }

  @Test(
    "A body that is gzip in spite of the request is decoded",
    arguments: ["aws-chunked, gzip", "gzip, none", "gzip,utf-8"])
  func unknownBesideGzip(coding: String) async throws {
    #expect(try await answer(Gzip.compress(bytes), coding).text == text)
  }

  @Test("A body that is not the gzip of its header is taken as it is")
  func plainInPlaceOfGzip() async throws {
    #expect(try await answer(bytes, "gzip").text == text)
  }

  @Test(
    "Members of gzip are joined, and bytes after the last are ignored", arguments: [true, false])
  func members(isChunked: Bool) async throws {
    let two = Gzip.compress(Array(bytes[..<100])) + Gzip.compress(Array(bytes[100...]))
    #expect(try await answer(two, "gzip", isChunked: isChunked).text == text)
    let trailing = Gzip.compress(bytes) + Array("\0\0\0\0trailing".utf8)
    #expect(try await answer(trailing, "gzip", isChunked: isChunked).text == text)
  }

  @Test("Gzip that no header names is decoded") func silentGzip() async throws {
    origin.on("/", .answer(Gzip.compress(bytes)))
    let found = try await client.perform(DocumentRequest(HTTPRequest(url: origin.url("/"))))
    #expect(found.body == bytes)
    #expect(origin.log.count == 1)
  }

  @Test("Gzip that stops short fails after the second request") func shortGzip() async throws {
    let headers = [("Content-Encoding", "gzip")]
    origin.on("/", .answer(Array(Gzip.compress(bytes).dropLast(9)), headers: headers))
    let error = await failure(performing: HTTPRequest(url: origin.url("/")))
    #expect(error?.kind == .truncated)
    #expect(origin.log.count == 2)
  }

  @Test("A request that sends a body is not repeated") func postOnce() async throws {
    origin.on("/", .answer(bytes, headers: [("Content-Encoding", "utf-8")]))
    let request = HTTPRequest(method: .post, url: origin.url("/"), body: [1])
    #expect(await failure(performing: request)?.kind == .badEncoding)
    #expect(origin.log.count == 1)
  }

  @Test("Decoded gzip keeps to the limit of the body") func limit() async throws {
    origin.on("/", .answer(Gzip.compress(bytes)))
    let request = HTTPRequest(
      url: origin.url("/"), limits: TransferLimits(decodedBody: bytes.count - 1))
    let found = try await client.perform(DocumentRequest(request))
    #expect(found.body == Gzip.compress(bytes))
  }
}
