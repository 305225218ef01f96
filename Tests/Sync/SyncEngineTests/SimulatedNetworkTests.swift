import NetworkMeasurement

/// Requirements for the concurrency limiter on seven simulated networks. No real time passes, and
/// each machine gets the same numbers. `make simulate` prints the whole table.
///
/// Serialized because each test computes for a second while other tests wait for time to pass.
/// Syncs that several tests judge are simulated once.
@Suite("The limiter on simulated networks", .serialized) struct SimulatedNetworkTests {
  private static let known = Mutex<[String: SimulationResult]>([:])

  private func adaptive(
    _ network: NetworkProfile, seed: UInt64 = 1, requests: Int = 10
  ) -> SimulationResult {
    let name = "\(network.name) \(seed) \(requests)"
    if let result = Self.known.withLock({ $0[name] }) { return result }
    let result = simulated(network, seed, requests)
    Self.known.withLock { $0[name] = result }
    return result
  }

  private func simulated(
    _ network: NetworkProfile, _ seed: UInt64, _ requests: Int
  ) -> SimulationResult {
    Simulation(network, Workload(seed: seed), AdaptiveLimiter(ceiling: 128), requests: requests)
      .run()
  }

  private func fixed(_ limit: Int, _ network: NetworkProfile, seed: UInt64) -> SimulationResult {
    Simulation(network, Workload(seed: seed), FixedLimiter(limit)).run()
  }

  @Test(
    "The limiter is almost as fast as the best fixed limit and loses nothing",
    arguments: [
      (NetworkProfile.gprs, 25, 1.15), (.edge, 25, 1.15), (.threeG, 100, 1.15), (.dsl, 100, 1.15),
      (.fibre, 100, 1.15), (.drop, 100, 1.25), (.tunnel, 100, 1.25),
    ] as [(NetworkProfile, Int, Double)])
  func nearBestFixedLimit(network: NetworkProfile, limit: Int, within: Double)
    throws
  {
    let seeds = UInt64(1)...2
    let best = seeds.map { fixed(limit, network, seed: $0).t95 }.mean
    let results = seeds.map { adaptive(network, seed: $0) }
    let mean = results.map(\.t95).mean
    #expect(mean <= within * best, "\(mean) s instead of \(best)")
    for result in results {
      #expect(result.missed == 0)
      #expect(result.wastedShare <= (within > 1.2 ? 0.05 : 0.02))
      #expect(result.mostInFlight <= 132)
    }
  }

  @Test(
    "A user request hardly waits for the sync",
    arguments: [
      (NetworkProfile.dsl, 1.25), (.fibre, 1.25), (.gprs, 2.2), (.edge, 2.2), (.threeG, 2.5),
    ])
  func userHardlyWaits(network: NetworkProfile, within: Double) throws {
    let unloaded = Simulation.unloaded(network.states[0].state)
    let latencies = (1...3).flatMap { adaptive(network, seed: $0).userLatencies }
    let median = latencies.median
    #expect(latencies.count == 30)
    #expect(median <= within * unloaded, "\(median) s instead of \(unloaded)")
  }

  @Test("The limit is high at once on fibre and stays low on GPRS")
  func limitFitsTheNetwork() throws {
    #expect(try #require(adaptive(.fibre).wideAt) <= 2.5)
    #expect(adaptive(.gprs).mostLater <= 24)
  }

  @Test("A drop of the capacity is detected at once") func aFallIsSeenAtOnce() throws {
    for seed in UInt64(1)...3 {
      let result = adaptive(.drop, seed: seed)
      let seen = try #require(result.collapses.first)
      #expect(seen >= 1.5 && seen <= 3)
      #expect(result.worstQuality == .poor)
      #expect(result.lastQuality != .poor, "the network came back")
    }
  }

  @Test("A tunnel is detected as an outage, which ends soon after the tunnel")
  func tunnelIsAnOutage() throws {
    for seed in UInt64(1)...3 {
      let result = adaptive(.tunnel, seed: seed)
      #expect(result.outages.count == 1)
      #expect(try #require(result.outages.first) <= 18)
      #expect(try #require(result.returns.first) <= 44)
    }
  }

  @Test("A steady network causes no false alarm", arguments: NetworkProfile.steady)
  func noFalseAlarm(network: NetworkProfile) {
    let result = adaptive(network, seed: 4)
    #expect(result.collapses == [])
    #expect(result.outages == [])
  }

  @Test("Unchanged feeds on a good network do not lower its quality")
  func unchangedFeedsAreGood() throws {
    var workload = Workload(seed: 1)
    workload.unchanged = 1
    for network in [NetworkProfile.fibre, .dsl] {
      let result = Simulation(network, workload, AdaptiveLimiter(ceiling: 128), requests: 0).run()
      #expect(try #require(result.worstQuality) >= .good)
      #expect(try #require(result.wideAt) <= 2.5)
    }
  }

  @Test("Hosts that hang do not delay others") func hangingHostsHoldNobodyUp() {
    var healthy = Workload(seed: 1)
    healthy.hasTrouble = false
    for network in [NetworkProfile.fibre, .dsl] {
      let without = Simulation(network, healthy, AdaptiveLimiter(ceiling: 128), requests: 0).run()
      #expect(adaptive(network, requests: 0).t95 <= 1.2 * without.t95)
    }
  }

  @Test("The same seed gives the same sync") func theSameSeedIsTheSameSync() {
    let (first, second) = (adaptive(.edge), simulated(.edge, 1, 10))
    let isSame = first.ends == second.ends && first.userLatencies == second.userLatencies
    #expect(isSame)
  }
}
