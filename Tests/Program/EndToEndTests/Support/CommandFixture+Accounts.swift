extension FakeAggregator {
  /// Serves FreshRSS's API with two articles in one feed.
  static func freshRSS(on origin: Origin) -> (server: FakeAggregator, url: String) {
    let server = FakeAggregator(.freshRSS)
    server.addItems([1, 2], feed: server.addFeed(origin.url("/planet"), title: "Planet"))
    server.serve(on: origin)
    return (server, origin.url("/api/greader.php"))
  }
}

extension CommandFixture {
  /// Returns a new home and a server with FreshRSS's API.
  static func withFreshRSS() throws -> (CommandFixture, Origin, FakeAggregator, url: String) {
    let (fixture, origin) = try online()
    let (server, url) = FakeAggregator.freshRSS(on: origin)
    return (fixture, origin, server, url)
  }

  /// Adds the account of `FakeAggregator` at this address.
  @discardableResult func addAccount(_ url: String) throws -> Outcome {
    try weir(
      "account", "add", "greader", url, "--user", FakeAggregator.user,
      input: FakeAggregator.password + "\n")
  }
}
