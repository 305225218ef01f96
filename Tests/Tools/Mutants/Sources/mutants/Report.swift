import Foundation

/// The table of a run.
struct Report {
  private static let least = (mutants: 300, share: 0.92)

  /// Mutants with an outcome.
  let mutants: [Mutant]
  /// Keys of the others, about which the list of equivalents may say more.
  private let unknown: Set<String>
  let outcomes: [String: Outcome]
  let equivalents: Equivalents

  init(_ mutants: [Mutant], _ outcomes: [String: Outcome], _ equivalents: Equivalents) {
    self.mutants = mutants.filter { outcomes[$0.name] != nil }
    unknown = Set(mutants.filter { outcomes[$0.name] == nil }.map(\.key))
    (self.outcomes, self.equivalents) = (outcomes, equivalents)
  }

  private func isKilled(_ mutant: Mutant) -> Bool { outcomes[mutant.name]?.isKilled ?? false }

  /// Prints the table and the survivors.
  /// - Returns: true if enough mutants are killed and the list of equivalents is right.
  func print() -> Bool {
    let survivors = mutants.filter { !isKilled($0) }
    let unnamed = survivors.filter { equivalents.reasons[$0.key] == nil }
    row("file", "mutants", "killed", "equivalent", "survived")
    var paths: [String] = []
    for mutant in mutants where paths.last != mutant.site.path { paths.append(mutant.site.path) }
    for path in paths { row(path) { $0.site.path == path } }
    row("all") { _ in true }
    for mutant in unnamed {
      let mark = outcomes[mutant.name] == .unreached ? " (not reached)" : ""
      Swift.print(
        "\(mutant.site.path):\(mutant.site.line): \(mutant.change)\(mark)\n    \(mutant.site.lineText)"
      )
    }
    let stale = equivalents.reasons.keys.filter { key in
      !unknown.contains(key) && !survivors.contains { $0.key == key }
    }.sorted()
    for key in stale {
      Swift.print(
        "equivalent.txt: no mutant survives as:\n\(key.replacingOccurrences(of: "\t", with: "\n"))")
    }
    let share = Double(mutants.count - survivors.count) / Double(max(1, mutants.count))
    Swift.print(
      "\(mutants.count) mutants, \(String(format: "%.1f", share * 100)) % killed,",
      "\(survivors.count - unnamed.count) equivalent, \(unnamed.count) survived")
    return stale.isEmpty && share >= Self.least.share && mutants.count >= Self.least.mutants
  }

  private func row(_ name: String, _ isMeant: (Mutant) -> Bool) {
    let own = mutants.filter(isMeant)
    let survivors = own.filter { !isKilled($0) }
    let named = survivors.count { equivalents.reasons[$0.key] != nil }
    row(
      name, "\(own.count)", "\(own.count - survivors.count)", "\(named)",
      "\(survivors.count - named)")
  }

  private func row(_ name: String, _ columns: String...) {
    let padded = columns.map { String(repeating: " ", count: max(0, 12 - $0.count)) + $0 }
    Swift.print(name.padding(toLength: 56, withPad: " ", startingAt: 0) + padded.joined())
  }
}
