import Foundation
import Testing

/// The diagram of Architecture.md shows the targets of Package.swift. `make golden` rewrites it.
@Suite("The diagram of the targets") struct TargetDiagram {
  private static let article = ImportRules.root.appending(
    path: "Sources/weir/Documentation.docc/Architecture.md")

  private static func manifest() throws -> String {
    try String(contentsOf: ImportRules.root.appending(path: "Package.swift"), encoding: .utf8)
  }

  /// Returns the imports of each target below `Sources`, by name. Targets without imports are
  /// included, libraries are not.
  static func targets(in manifest: String) -> [String: Set<String>] {
    var targets: [String: Set<String>] = [:]
    for match in manifest.matches(of: /\.(?:target|executableTarget|testTarget)\(/) {
      let body = balanced(manifest[match.range.upperBound...])
      let isTest = manifest[match.range].hasPrefix(".testTarget")
      guard !isTest, !body.contains("path: \"Tests/"),
        let name = body.firstMatch(of: /name: "(\w+)"/)?.1
      else { continue }
      var names: Set<String> = []
      if let list = body.firstMatch(of: /dependencies: \[/) {
        let text = balanced(body[list.range.upperBound...])
          .replacing(/package: "[^"]*"/, with: "")
        names = Set(text.matches(of: /"(\w+)"/).map { String($0.1) })
      }
      targets[String(name)] = names
    }
    return targets
  }

  /// Returns the text up to the bracket that closes the already open one.
  private static func balanced(_ text: Substring) -> Substring {
    var depth = 1
    let end = text.firstIndex { character in
      if "([".contains(character) { depth += 1 }
      if ")]".contains(character) { depth -= 1 }
      return depth == 0
    }
    return text[..<(end ?? text.endIndex)]
  }

  /// Returns a diagram with a line for each Swift target, above the targets that it imports.
  static func diagram(of targets: [String: Set<String>]) -> String {
    func reached(from name: String) -> Set<String> {
      (targets[name] ?? []).reduce(into: targets[name] ?? []) { $0.formUnion(reached(from: $1)) }
    }
    func height(of name: String) -> Int {
      1 + ((targets[name] ?? []).map(height).max() ?? -1)
    }
    let shown = targets.filter { !$0.value.isEmpty || !$0.key.hasPrefix("C") }.keys
    let width = shown.map(\.count).max() ?? 0
    let layers = Dictionary(grouping: shown, by: height).sorted { $0.key > $1.key }
    return layers.map { _, names in
      names.sorted().map { name in
        let imports = targets[name] ?? []
        let implied = imports.reduce(into: Set<String>()) { $0.formUnion(reached(from: $1)) }
        let direct = imports.subtracting(implied).sorted { first, second in
          // Swift targets come first, then the libraries that they link.
          (shown.contains(first) ? 0 : 1, first) < (shown.contains(second) ? 0 : 1, second)
        }
        guard !direct.isEmpty else { return name + "\n" }
        let padding = String(repeating: " ", count: width - name.count)
        return "\(name)\(padding) ─► \(direct.joined(separator: ", "))\n"
      }.joined()
    }.joined(separator: "\n")
  }

  @Test("Architecture.md shows the targets of Package.swift")
  func isAsRecorded() throws {
    let targets = Self.targets(in: try Self.manifest())
    #expect(targets.count > 15, "\(targets.keys.sorted())")
    let text = try String(contentsOf: Self.article, encoding: .utf8)
    let parts = text.split(separator: "```\n", maxSplits: 2, omittingEmptySubsequences: false)
    try #require(parts.count == 3)
    let diagram = Self.diagram(of: targets)
    if ProcessInfo.processInfo.environment["WEIR_RECORD_GOLDEN"] != nil {
      let new = "\(parts[0])```\n\(diagram)```\n\(parts[2])"
      return try Data(new.utf8).write(to: Self.article)
    }
    #expect(parts[1] == diagram, "run make golden")
  }

  @Test("Package.swift lets each target import exactly what the import rules allow")
  func rulesAreThoseOfTheManifest() throws {
    for (name, imports) in Self.targets(in: try Self.manifest()) {
      guard let allowed = ImportRules.allowed(for: name) else { continue }
      #expect(imports == allowed, "\(name)")
    }
  }

  @Test("The fuzzer's manifest has the same targets with the same imports, and finds them")
  func fuzzerIsOfTheSameTargets() throws {
    let package = ImportRules.root.appending(path: "Tests/Fuzz/Fuzzer")
    let program = Self.targets(in: try Self.manifest())
    let manifest = package.appending(path: "Package.swift")
    var fuzzed = Self.targets(in: try String(contentsOf: manifest, encoding: .utf8))
    let imports = fuzzed.removeValue(forKey: "fuzz") ?? []
    #expect(!imports.isEmpty)
    for name in fuzzed.values.reduce(imports, { $0.union($1) }) where program[name] != nil {
      #expect(fuzzed[name] == program[name], "\(name)")
    }
    for name in fuzzed.keys {
      let folder = package.appending(path: "Sources/\(name)")
      #expect(
        folder.resolvingSymlinksInPath().path
          == ImportRules.root.appending(path: "Sources/\(name)").path)
    }
  }

  @Test("An implied import is left out, and a target is above those that it imports")
  func drawing() {
    let manifest = """
      .target(name: "A", dependencies: ["B", "C", .product(name: "P", package: "p-kit")]),
      .target(name: "B", dependencies: ["C"], linkerSettings: [.linkedLibrary("z")]),
      .target(name: "C"), .target(name: "T", dependencies: ["A"], path: "Tests/T"),
      .testTarget(name: "ATests", dependencies: ["A"]),
      """
    let targets = Self.targets(in: manifest)
    #expect(targets == ["A": ["B", "C", "P"], "B": ["C"], "C": []])
    #expect(Self.diagram(of: targets) == "A ─► B, P\n\nB ─► C\n")
  }
}
