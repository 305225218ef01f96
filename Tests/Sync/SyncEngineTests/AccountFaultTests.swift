import SoakSupport

@Suite("Accounts on failing networks", .countsFailures) struct AccountFaultTests {
  @Test(
    "Outbox and server together have the user's changes, whatever fails",
    arguments: AccountLife.Variant.allCases)
  func nothingIsLost(variant: AccountLife.Variant) async throws {
    let steps = 25
    let lives = Soak.length(short: variant == .ordinary ? 16 : 8, long: 400)
    var fixture = try EngineFixture(in: EngineFixture.memory)
    for seed in 1...UInt64(lives) {
      // Earlier lives' rows would slow down later ones.
      if seed.isMultiple(of: 500) { fixture = try EngineFixture(in: EngineFixture.memory) }
      let life = try await AccountLife(fixture, seed: seed, variant)
      try await life.pull()
      for step in 0..<steps {
        try await life.step()
        try life.check(seed, step)
      }
      try await life.finish(seed)
    }
    Soak.report(
      "random faults between reader and server (\(variant))", "\(lives * steps) steps",
      "nothing lost")
  }

  @Test("A server that counts from another number never changes another feed or article")
  func renumberedServer() async throws {
    var fixture = try EngineFixture(in: EngineFixture.memory)
    let seeds = Soak.seeds(short: 12, long: 2_000)
    for seed in seeds {
      if seed % 500 == 499 { fixture = try EngineFixture(in: EngineFixture.memory) }
      try await RenumberedLife(fixture, seed: seed).run(seed)
    }
    Soak.report("servers that were set up again", "\(seeds.count) runs", "nothing else touched")
  }
}
