import Foundation
import SoakSupport
import TestSupport
import Testing

/// A reader, a server that may be odd, and a line between them that fails as it likes.
@Suite(.countsFailures) struct AccountFaultTests {
  @Test(
    "Whatever fails, the outbox and the server have what the user did",
    arguments: AccountLife.Variant.allCases)
  func nothingIsLost(variant: AccountLife.Variant) async throws {
    let steps = 25
    let lives = Soak.length(short: variant == .ordinary ? 100 : 40, long: 400)
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
}
