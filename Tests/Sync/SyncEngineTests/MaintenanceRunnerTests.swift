@testable import SyncEngine

@Suite("Running maintenance") final class MaintenanceRunnerTests: EngineSuite {
  /// A clock that each access advances by a millisecond.
  private final class Sleeps: Sendable {
    private let time = Mutex(Duration.zero)
    let amounts = Mutex<[Duration]>([])

    func clock(_ start: Date, ends: @escaping @Sendable ([Duration]) -> Bool) -> EngineClock {
      EngineClock(
        now: { [self] in
          let uptime = time.withLock { time in
            time += .milliseconds(1)
            return time
          }
          return Instant(uptime: uptime, date: start)
        },
        sleep: { [self] moment in
          let now = time.withLock { $0 }
          let all = amounts.withLock { amounts in
            amounts.append(moment.uptime - now)
            return amounts
          }
          if ends(all) { throw CancellationError() }
        })
    }
  }

  private static let interval = Duration.seconds(600)

  private func runner(_ fixture: EngineFixture, _ clock: EngineClock) -> MaintenanceRunner {
    var configuration = SyncConfiguration(directory: fixture.directory)
    configuration.maintenanceInterval = Self.interval
    return MaintenanceRunner(
      context: OperationContext(
        store: fixture.store.engine, accounts: fixture.store.accountSync,
        configuration: configuration, clock: clock, transport: { fixture.web }))
  }

  @Test("At the end of a command, maintenance runs its steps without pauses") func brief()
    async throws
  {
    let sleeps = Sleeps()
    let clock = sleeps.clock(EngineFixture.start) { _ in false }
    await runner(fixture, clock).runBriefly { true }
    #expect(sleeps.amounts.withLock { $0 }.isEmpty)
    #expect(try await !fixture.store.engine.maintenance.maintenanceStep())
  }

  @Test("Beside a reader, maintenance sleeps nine times as long as each step took")
  func sharesTime() async throws {
    let sleeps = Sleeps()
    // All work is done at the second interval.
    let clock = sleeps.clock(EngineFixture.start) { $0.count { $0 == Self.interval } == 2 }
    let task = try #require(runner(fixture, clock).start { true })
    await task.value
    let pauses = sleeps.amounts.withLock { $0 }.filter { $0 != Self.interval }
    #expect(pauses.count > 3)
    #expect(pauses.allSatisfy { $0 >= .milliseconds(9) })
    #expect(try await !fixture.store.engine.maintenance.maintenanceStep())
  }
}
