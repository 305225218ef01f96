import FeedStore

// The upkeep of the cache, by the process that is the engine, while nothing is refreshed.

extension NetworkController {
  /// Of the time, the upkeep takes one part in so many: the disk belongs to others too.
  private static let rest = 9.0
  /// Seconds of upkeep that a run of a command allows itself at its end.
  private static let shortRun = 1.0

  /// Begins to look after the cache now and then; nil where it is not asked for.
  func keepUp() -> Task<Void, Never>? {
    guard let interval = configuration.upkeepInterval, case .serving = mode else { return nil }
    return Task {
      while (try? await clock.sleep(clock.uptime() + interval)) != nil {
        await tidy(until: .infinity)
      }
    }
  }

  /// What a command that synced does before it ends: those who only sync from cron have no other engine.
  func tidyBriefly() async {
    guard configuration.upkeepInterval != nil, election.isElected else { return }
    await tidy(until: clock.uptime() + Self.shortRun)
  }

  private func tidy(until end: Double) async {
    while election.isElected, flights.isEmpty, !progress.isRunning, !Task.isCancelled,
      clock.uptime() < end
    {
      let began = clock.uptime()
      do throws(StoreError) {
        guard try await store.upkeepStep() else { return }
      } catch {
        emit.yield(.storeFailed(error))
        return
      }
      guard end == .infinity else { continue }
      let pause = (clock.uptime() - began) * Self.rest
      guard (try? await clock.sleep(clock.uptime() + pause)) != nil else { return }
    }
  }
}
