/// The diagram of Architecture.md shows the targets of Package.swift. `make golden` rewrites it.
@Suite("The diagram of the targets") struct TargetDiagram {
  private static let article = ImportRules.root.appending(
    path: "Sources/Program/weir/Documentation.docc/Architecture.md")

  /// Returns the floors from the top, each with its Swift targets above those that they import.
  /// An import that another import implies is left out.
  static func diagram(of manifest: Manifest) -> String {
    let targets = Dictionary(uniqueKeysWithValues: manifest.sources.map { ($0.name, $0.uses) })
    func reached(from name: String) -> Set<String> {
      (targets[name] ?? []).reduce(into: targets[name] ?? []) { $0.formUnion(reached(from: $1)) }
    }
    let swift = manifest.sources.filter(\.isSwift)
    let names = Set(swift.map(\.name))
    let width = swift.map(\.name.count).max() ?? 0
    return Manifest.order.compactMap { floor in
      let rows = swift.filter { $0.floor == floor }.map { target in
        let implied = target.uses.reduce(into: Set<String>()) { $0.formUnion(reached(from: $1)) }
        let direct = target.uses.subtracting(implied).sorted { first, second in
          // Swift targets come first, then the libraries that they link.
          (names.contains(first) ? 0 : 1, first) < (names.contains(second) ? 0 : 1, second)
        }
        guard !direct.isEmpty else { return "  " + target.name }
        let padding = String(repeating: " ", count: width - target.name.count)
        return "  \(target.name)\(padding) ─► \(direct.joined(separator: ", "))"
      }
      return rows.isEmpty ? nil : ([floor] + rows).joined(separator: "\n") + "\n"
    }.joined()
  }

  @Test("Architecture.md shows the targets of Package.swift") func isAsRecorded() throws {
    let text = try String(contentsOf: Self.article, encoding: .utf8)
    let parts = text.split(separator: "```\n", maxSplits: 2, omittingEmptySubsequences: false)
    try #require(parts.count == 3)
    let diagram = Self.diagram(of: try Manifest.read())
    if ProcessInfo.processInfo.environment["WEIR_RECORD_GOLDEN"] != nil {
      let new = "\(parts[0])```\n\(diagram)```\n\(parts[2])"
      return try Data(new.utf8).write(to: Self.article)
    }
    #expect(parts[1] == diagram, "run make golden")
  }

  @Test("The fuzzer's manifest has the same targets with the same imports, and finds them")
  func fuzzerIsOfTheSameTargets() throws {
    let package = "Tests/Tools/FuzzTests/Fuzzer"
    let program = try Manifest.read()
    let fuzzed = try Manifest.read(package + "/Package.swift")
    #expect(fuzzed["fuzz"]?.uses.isEmpty == false)
    for target in fuzzed.targets where target.name != "fuzz" {
      #expect(target.uses == program[target.name]?.uses, "\(target.name)")
      let folder = ImportRules.root.appending(path: "\(package)/Sources/\(target.name)")
      #expect(
        folder.resolvingSymlinksInPath().path
          == ImportRules.root.appending(path: try Manifest.folder(of: target.name)).path)
    }
  }

  @Test("An implied import is left out, and a target stands on its floor") func drawing() {
    let manifest = Manifest(
      """
      library("Cache/A", "B C GRDB"), library("Text/B", "C"), library("Model/C", "CRE2"),
      code("System/CRE2", "re2"), tests("Cache/ATests", "A"), library("Support/S", "A"),
      """)
    #expect(
      Self.diagram(of: manifest) == "Cache\n  A ─► B, GRDB\nText\n  B ─► C\nModel\n  C ─► CRE2\n")
  }
}
