import SoakSupport

@Suite("Simulated devices", .countsFailures) struct SimulationTests {
  private static let seeds = Soak.length(short: 80, long: 10_000)

  @Test(
    "Four devices agree once all files have arrived, after any order, losses and restores",
    arguments: [false, true])
  func converge(restoresBackups: Bool) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      let shards = 8
      for shard in 0..<shards {
        group.addTask {
          for seed in stride(from: shard, to: Self.seeds, by: shards) {
            var folder = SimulatedFolder(seed: UInt64(seed), restoresBackups: restoresBackups)
            try folder.run(steps: 70)
            try folder.deliverAll()
            Self.check(folder, seed: seed)
            if !restoresBackups { Self.checkWhole(folder, seed: seed) }
          }
        }
      }
      try await group.waitForAll()
    }
    Soak.report(
      restoresBackups ? "databases restored from backups" : "files in any order, truncated, lost",
      "\(Self.seeds) seeds", "equal digests")
  }

  /// Checks that all devices have the state of all files, and that it contains each device's
  /// actions.
  private static func check(_ folder: SimulatedFolder, seed: Int) {
    var expected = MergedState()
    for (device, files) in folder.allFiles() {
      for (name, bytes) in files {
        let entries = (try? Samples.entries(bytes, named: name, of: device)) ?? []
        for entry in entries { expected.merge(entry, from: device) }
      }
    }
    let feeds = expected.feeds()
    for (index, device) in folder.devices.enumerated() {
      #expect(device.state == expected, "seed \(seed), device \(index)")
      #expect(device.state.feeds() == feeds, "seed \(seed), device \(index)")
      for (key, value) in device.own.flatMap({ $0.registers(from: device.id) }) {
        #expect(expected.registers[key].map { $0.stamp >= value.stamp } ?? false, "seed \(seed)")
      }
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
  }

  /// Checks that no entry is missing and that the devices know that they agree.
  private static func checkWhole(_ folder: SimulatedFolder, seed: Int) {
    var expected = MergedState()
    for (entry, device) in folder.written { expected.merge(entry, from: device) }
    #expect(folder.devices[0].state == expected, "seed \(seed)")
    for device in folder.devices {
      #expect(device.progress.values.flatMap(\.gaps).isEmpty, "seed \(seed)")
    }
    let (first, second) = (folder.devices[0], folder.devices[1])
    let agreement = Agreement.of(
      second.id, second.report, at: second.author.lastNumber, mine: first.progress,
      own: (first.id, first.author.lastNumber), digest: first.state.digest)
    #expect(agreement == .same, "seed \(seed)")
  }
}
