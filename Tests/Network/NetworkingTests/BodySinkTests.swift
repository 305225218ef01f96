@Suite("Body sinks") final class BodySinkTests: OriginSuite {
  private final class Bucket: BodySink {
    struct Contents {
      var lengths: [Int64?] = []
      var bytes: [UInt8] = []
    }
    let room: Int
    let contents = Mutex(Contents())
    init(room: Int = .max) { self.room = room }

    func begins(length: Int64?) { contents.withLock { $0.lengths.append(length) } }
    func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
      contents.withLock {
        $0.bytes.append(contentsOf: bytes)
        return $0.bytes.count <= room
      }
    }
  }

  private func send(_ url: String, _ sink: Bucket) async throws -> HTTPResponse {
    try await sharedTransport.send(HTTPRequest(url: url, sink: sink))
  }

  @Test("A successful body goes to the sink, and the body of an error does not")
  func sinkGetsGoodBodiesOnly() async throws {
    origin.on("/file", .answer(String(repeating: "x", count: 300_000)))
    origin.on("/no", .answer("sorry", status: 404))
    let sink = Bucket()
    let answer = try await send(origin.url("/file"), sink)
    #expect(answer.status == 200 && answer.body.isEmpty)
    let contents = sink.contents.withLock { $0 }
    #expect(contents.bytes.count == 300_000)
    #expect(contents.lengths == [300_000])
    let refused = Bucket()
    let no = try await send(origin.url("/no"), refused)
    #expect(no.status == 404 && no.body == Array("sorry".utf8))
    #expect(refused.contents.withLock { $0.lengths.isEmpty && $0.bytes.isEmpty })
  }

  /// A body that no sink takes is kept in memory, where the limit of files does not apply.
  @Test("A body without a sink has the size limit of bodies in memory", arguments: [302, 404])
  func whatNoSinkTakesIsBounded(status: Int) async throws {
    let bomb = Gzip.bomb(decoded: 64 << 20)
    let location = ("Location", "/elsewhere")
    origin.on(
      "/bomb",
      .answer(bomb, status: status, headers: [("Content-Encoding", "gzip"), location]))
    let length = ("Content-Length", "\(DocumentRequest.maximumFile - 1)")
    origin.on("/announced", Reply(steps: [Reply.head(status, [length, location]), .hang]))
    for path in ["/bomb", "/announced"] {
      let request = DocumentRequest(
        HTTPRequest(url: origin.url(path), sink: Bucket()), kind: .file)
      #expect(await failure(performing: request.httpRequest)?.kind == .tooLarge, "\(path)")
    }
  }

  @Test("A sink that throws ends the exchange") func throwingSinkEnds() async throws {
    origin.on("/file", .answer(String(repeating: "x", count: 300_000)))
    await #expect(throws: TransportError(.notStored)) {
      try await send(origin.url("/file"), Bucket(room: 1_000))
    }
  }
}
