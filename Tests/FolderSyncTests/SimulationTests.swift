import FolderSync
import SoakSupport
import TestSupport
import Testing

@Suite("Simulated devices", .countsFailures)
struct SimulationTests {
  private static let seeds = Soak.length(short: 1_000, long: 10_000)

  @Test("Four devices agree once all files are there, whatever order and losses came before")
  func converge() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      let shards = 8
      for shard in 0..<shards {
        group.addTask {
          for seed in stride(from: shard, to: Self.seeds, by: shards) {
            var folder = SimulatedFolder(seed: UInt64(seed))
            try folder.run(steps: 70)
            try folder.deliverAll()
            Self.check(folder, seed: seed)
          }
        }
      }
      try await group.waitForAll()
    }
    Soak.report(
      "files delivered in any order, truncated, lost", "\(Self.seeds) seeds", "equal digests")
  }

  private static func check(_ folder: SimulatedFolder, seed: Int) {
    var expected = MergedState()
    for (entry, device) in folder.written.shuffled() { expected.merge(entry, from: device) }
    let feeds = expected.feeds()
    for (index, device) in folder.devices.enumerated() {
      #expect(device.state == expected, "seed \(seed), device \(index)")
      #expect(device.state.feeds() == feeds, "seed \(seed), device \(index)")
      #expect(device.progress.values.flatMap(\.gaps).isEmpty, "seed \(seed), device \(index)")
    }
    // All devices show the same states of a story, under either of its IDs.
    for key in SimulatedFolder.keys {
      for story in UInt64(1)...5 {
        let values = (0..<2).map { index in
          folder.devices[index].state.newest(
            .read, of: SimulatedFolder.article(story, on: index), in: key
          ) { _ in false }
        }
        #expect(values[0] == values[1], "seed \(seed)")
      }
    }
    let (first, second) = (folder.devices[0], folder.devices[1])
    let agreement = Agreement.of(
      second.id, second.report, at: second.author.lastNumber, mine: first.progress,
      own: (first.id, first.author.lastNumber), digest: first.state.digest)
    #expect(agreement == .same, "seed \(seed)")
  }
}
