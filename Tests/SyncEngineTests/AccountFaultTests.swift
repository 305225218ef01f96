import Foundation
import TestSupport
import Testing

/// A reader, a server that may be odd, and a line between them that fails as it likes.
@Suite struct AccountFaultTests {
  @Test(
    "Whatever fails, the outbox and the server have what the user did",
    arguments: AccountLife.Variant.allCases)
  func nothingIsLost(variant: AccountLife.Variant) async throws {
    let isOrdinary = variant == .ordinary
    // 25 steps each.
    let lives = Soak.length(short: isOrdinary ? 100 : 40, long: isOrdinary ? 10_000 : 400)
    // In memory, where there is such a place: a disk would be waited for a million times.
    let memory = URL(filePath: "/dev/shm")
    let folder =
      FileManager.default.isWritableFile(atPath: memory.path)
      ? memory : FileManager.default.temporaryDirectory
    var fixture = try EngineFixture(in: folder)
    for seed in 1...UInt64(lives) {
      // What lives before have left would only slow down those that come.
      if seed.isMultiple(of: 500) { fixture = try EngineFixture(in: folder) }
      let life = try await AccountLife(fixture, seed: seed, variant)
      try await life.pull()
      for step in 0..<25 {
        try await life.step()
        try life.check(seed, step)
      }
      try await life.finish(seed)
    }
    Soak.report(
      "random faults between reader and server (\(variant))", "\(lives) runs", "nothing lost")
  }
}
