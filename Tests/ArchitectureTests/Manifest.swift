/// The targets of Package.swift, as its lines name them.
struct Manifest {
  struct Target {
    let name: String
    /// The first folder below `Sources` or `Tests`; empty for a test target at the top.
    let floor: String
    let uses: Set<String>
    let line: Int
    /// False for C targets and system libraries.
    let isSwift: Bool
  }

  let targets: [Target]

  /// The targets below `Sources`, in their order.
  var sources: [Target] { targets.filter { Self.order.contains($0.floor) && !$0.isTest } }

  /// The floors of `Sources` from the top.
  static let order = [
    "Program", "Reader", "Terminal", "Sync", "Cache", "Network", "Text", "Model", "System",
  ]

  static func read(_ path: String = "Package.swift") throws -> Manifest {
    Manifest(try String(contentsOf: ImportRules.root.appending(path: path), encoding: .utf8))
  }

  /// The manifest of the package, which is read once.
  private static let package = Result { try read() }

  init(_ text: String) {
    let declaration =
      /(?<kind>library|screens|program|tests|code|header)\(\s*"(?:(?<floor>\w+)\/)?(?<name>\w+)"(?:,\s*(?:"""(?<long>[^"]*)"""|"(?<short>[^"]*)"))?/
    targets = text.matches(of: declaration).map { match in
      let isSwift = match.kind != "code" && match.kind != "header"
      let uses = (match.long ?? match.short ?? "").split { " \\\n".contains($0) }
      return Target(
        name: String(match.name), floor: String(match.floor ?? ""),
        uses: isSwift ? Set(uses.map(String.init)) : [],
        line: text[..<match.range.lowerBound].count(where: \.isNewline) + 1, isSwift: isSwift)
    }
  }

  subscript(name: String) -> Target? { targets.first { $0.name == name } }

  /// Returns the folder of a target, relative to the root.
  static func folder(of target: String) throws -> String {
    let target = try #require(try package.get()[target], "\(target) is not in Package.swift")
    let top = target.isTest || !order.contains(target.floor) ? "Tests" : "Sources"
    return [top, target.floor, target.name].filter { !$0.isEmpty }.joined(separator: "/")
  }

  /// Returns the Swift files of a target, or of a folder in a target.
  static func files(of place: String) throws -> [URL] {
    let parts = place.split(separator: "/").map(String.init)
    let path = try [folder(of: parts[0])] + parts.dropFirst()
    let files = ImportRules.files(under: path.joined(separator: "/"), withExtensions: ["swift"])
    #expect(!files.isEmpty, "the walk over \(place) found nothing")
    return files
  }
}

extension Manifest.Target {
  var isTest: Bool { name.hasSuffix("Tests") }
}

@Suite("The floors of the package") struct FloorTests {
  @Test("A target uses no target of a higher floor") func floorsPointDown() throws {
    let manifest = try Manifest.read()
    for target in manifest.sources {
      let own = Manifest.order.firstIndex(of: target.floor) ?? 0
      for used in target.uses.compactMap({ manifest[$0] }) {
        let other = Manifest.order.firstIndex(of: used.floor) ?? 0
        if other < own {
          Issue.record(
            "Package.swift:\(target.line): \(target.floor)/\(target.name) must not use \(used.name)"
          )
        }
      }
    }
  }

  @Test("Each folder below a floor is a target of that floor, and there are at most 28 of Swift")
  func foldersAreTargets() throws {
    let manifest = try Manifest.read()
    for floor in Manifest.order {
      let folder = ImportRules.root.appending(path: "Sources/\(floor)")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      let targets = manifest.sources.filter { $0.floor == floor }.map(\.name)
      #expect(Set(names.filter { !$0.hasPrefix(".") }) == Set(targets), "\(floor)")
    }
    #expect(manifest.sources.filter(\.isSwift).count <= 28)
    let floors = try FileManager.default.contentsOfDirectory(
      atPath: ImportRules.root.appending(path: "Sources").path)
    #expect(Set(floors.filter { !$0.hasPrefix(".") }) == Set(Manifest.order))
  }

  @Test("The names, floors and uses of targets are read from the lines of a manifest")
  func linesAreRead() {
    let manifest = Manifest(
      """
      library("Text/A", "B GRDB"), screens("Reader/C"),
      code("System/CZlib", "z"),
      program(
        "Program/weir", \"\"\"
          A C \\
          B
          \"\"\", except: ["x"]), tests("ATests", "A"),
      """)
    #expect(manifest.targets.map(\.name) == ["A", "C", "CZlib", "weir", "ATests"])
    #expect(manifest.targets.map(\.floor) == ["Text", "Reader", "System", "Program", ""])
    #expect(manifest.targets.map(\.line) == [1, 1, 2, 3, 7])
    #expect(manifest["A"]?.uses == ["B", "GRDB"])
    #expect(manifest["weir"]?.uses == ["A", "B", "C"])
    #expect(manifest["CZlib"]?.uses.isEmpty == true)
  }
}
