import SimulatedNetwork

@Suite("Test support") struct TestSupportTests {
  @Test("A manual clock resumes sleeping tasks when their time comes")
  func manualClockWakes() async throws {
    let clock = ManualClock()
    let order = AsyncStream<Int>.makeStream()
    for seconds in [3, 1, 2] {
      Task {
        try await clock.sleep(until: clock.now.advanced(by: .seconds(seconds)))
        order.continuation.yield(seconds)
      }
    }
    await clock.waitForSleepers(3)
    var woken = order.stream.makeAsyncIterator()
    clock.advance(by: .seconds(0.5))
    #expect(clock.sleeperCount == 3)
    for expected in 1...3 {
      #expect(clock.advanceToNextDeadline())
      #expect(await woken.next() == expected)
    }
    #expect(clock.now.offset == .seconds(3))
    #expect(!clock.advanceToNextDeadline())
  }

  @Test("A cancelled sleep throws") func aCancelledSleepThrows() async throws {
    let clock = ManualClock()
    let task = Task { try await clock.sleep(until: clock.now.advanced(by: .seconds(1))) }
    await clock.waitForSleepers()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.sleeperCount == 0)
    let early = Task { try await clock.sleep(until: clock.now.advanced(by: .seconds(1))) }
    early.cancel()
    await #expect(throws: CancellationError.self) { try await early.value }
  }

  @Test("The corpus is the same each time") func corpusIsStable() {
    let a = Corpus(feeds: 40, articlesPerFeed: 5)
    let b = Corpus(feeds: 40, articlesPerFeed: 5)
    for feed in 0..<40 {
      #expect(a.document(feed).body == b.document(feed).body)
      #expect(a.document(feed).etag == b.document(feed).etag)
      let later = a.document(feed, generation: 1)
      #expect((later.etag != a.document(feed).etag) == a.hasNews(feed))
      #expect((later.body != a.document(feed).body) == a.hasNews(feed))
    }
    #expect(a.document(1).body != Corpus(feeds: 40, articlesPerFeed: 5, seed: 2).document(1).body)
    #expect(a.opml(port: 80).split(separator: "xmlUrl=").count == 41)
  }

  @Test("The corpus is served with validators") func corpusHasValidators() async throws {
    let origin = try Origin(address: "0.0.0.0")
    let corpus = Corpus(feeds: 40, articlesPerFeed: 5)
    let stage = corpus.serve(on: origin)
    let client = NetworkClient(transport: sharedTransport)
    for generation in 0...1 {
      stage.generation = generation
      for feed in 0..<40 {
        let old = corpus.document(feed)
        let known = Validators(etag: old.etag, lastModified: old.lastModified)
        let answer = try await client.perform(
          DocumentRequest(
            HTTPRequest(url: corpus.url(feed, port: origin.port)),
            validators: generation == 0 ? Validators() : known))
        if answer.isCurrent {
          #expect(generation == 1 && !corpus.hasNews(feed))
          continue
        }
        let document = corpus.document(feed, generation: generation)
        #expect(answer.status == 200, "\(feed)")
        #expect(answer.body == document.body)
        #expect(answer.contentType == document.contentType)
        #expect(answer.validators?.etag == document.etag)
        #expect(generation == 0 || corpus.hasNews(feed))
      }
    }
  }

  @Test("The fixture transport answers by its script") func fixtureFollowsItsScript() async throws {
    let fixture = FixtureTransport()
    fixture.script(
      "http://a.example/", .status(500), .text("second"), .failure(TransportError(.tls)))
    #expect(try await fixture.send(HTTPRequest(url: "http://a.example/")).status == 500)
    #expect(
      try await fixture.send(HTTPRequest(url: "http://a.example/")).body == Array("second".utf8))
    for _ in 0..<2 {
      #expect(await failure(HTTPRequest(url: "http://a.example/"), over: fixture)?.kind == .tls)
    }
    #expect(
      await failure(HTTPRequest(url: "http://b.example/"), over: fixture)?.kind == .hostNotFound)
    fixture.handle { .text($0.url) }
    let echoed = try await fixture.send(HTTPRequest(url: "http://b.example/")).body
    #expect(echoed == Array("http://b.example/".utf8))
    #expect(fixture.requests.count == 6)

    fixture.script("http://slow.example/", .hang)
    let task = Task { await failure(HTTPRequest(url: "http://slow.example/"), over: fixture) }
    while fixture.inFlight == 0 { await Task.yield() }
    task.cancel()
    #expect(await task.value?.kind == .cancelled)
    #expect(fixture.inFlight == 0)
  }
}
