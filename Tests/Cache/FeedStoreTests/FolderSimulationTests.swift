// Random acts on four devices whose files arrive in any order.
extension SharedFolderTests {
  @Test("Four caches with the same files have the same state") func simulation() async throws {
    for seed in Soak.seeds(short: 5, long: 10_000) {
      try await Self.simulate(seed)
      guard seed % 500 == 499 else { continue }
      Soak.report("four caches that share a folder", "\(seed + 1) seeds", "equal states")
    }
  }

  private static func simulate(_ seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let devices = try (1...4).map { try FolderDevice(UInt64($0)) }
    for device in devices {
      device.cache.clock.now += .random(in: -86_400...86_400, using: &random)
      let feed = try await device.cache.feed("a")
      try await device.cache.merge(feed, items(1...4))
      try await device.join(Array(devices.prefix(Int(device.id.rawValue) - 1)))
    }
    for _ in 0..<60 {
      let device = devices[Int.random(in: 0..<4, using: &random)]
      device.cache.clock.now += .random(in: 0...3_600, using: &random)
      try await act(device, &random)
      if Bool.random(using: &random) { try await device.flush() }
      let other = devices[Int.random(in: 0..<4, using: &random)]
      if other.id != device.id { try await device.receive(from: other) }
    }
    // Acts from the future wait.
    let last = devices.map(\.cache.clock.now).max() ?? .distantFuture
    for device in devices { device.cache.clock.now = last }
    try await exchange(devices)
    for device in devices {
      #expect(try !device.folder.devices().map(\.agreement).contains(.different))
      #expect(try device.digest() == devices[0].digest(), "seed \(seed)")
      #expect(try device.articles() == devices[0].articles(), "seed \(seed)")
      #expect(try device.positions() == devices[0].positions(), "seed \(seed)")
      #expect(try device.subscriptions() == devices[0].subscriptions(), "seed \(seed)")
    }
  }

  private static func act(_ device: FolderDevice, _ random: inout SeededRandom) async throws {
    let feeds = try device.reader.feeds.subscriptions().feeds
    let articles = try device.cache.all(.all)
    let article = articles.randomElement(using: &random)
    let feed = feeds.randomElement(using: &random)
    let isOn = Bool.random(using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 9:
      guard let article else { return }
      try await device.reader.plan.setReadingPosition(
        article.id,
        isOn ? ReadingPosition(block: .random(in: 0..<9, using: &random), share: 0) : nil)
    case 0, 1: if let article { try await device.reader.states.set(.read, [article.id], isOn) }
    case 2: if let article { try await device.reader.states.set(.starred, [article.id], isOn) }
    case 3:
      guard let article else { return }
      try await device.reader.states.changeTags(
        of: [article.id], adding: isOn ? ["x"] : [], removing: isOn ? [] : ["x"])
    case 4:
      if let feed {
        try await device.reader.feeds.rename(
          feed.id, to: "n\(Int.random(in: 0..<9, using: &random))")
      }
    case 5: if let feed { try await device.reader.feeds.move(feed.id, toFolder: isOn ? ["F"] : []) }
    case 6:
      if let feed, article?.id.rawValue == 1 {
        try await device.reader.feeds.unsubscribe([feed.id])
      }
    case 7: _ = try? await device.cache.feed(["a", "b"].randomElement(using: &random) ?? "a")
    default:
      guard try device.reader.journal.next()?.kind != .joinFolder else { return }
      _ = try await device.reader.journal.undo()
    }
  }
}
