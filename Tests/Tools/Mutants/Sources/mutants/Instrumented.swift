import Foundation

/// A copy of the package that contains every mutant, each enabled by its number.
struct Instrumented {
  let root: URL
  let copy: URL
  private(set) var sites: [Site] = []
  private var sources: [(plan: Plan, source: Source)] = []

  /// - Parameter isLeftOut: true for sites that did not compile before.
  init(root: URL, copy: URL, isLeftOut: (Site) -> Bool) throws {
    (self.root, self.copy) = (root, copy)
    var next = 1
    for plan in Plan.all {
      for path in plan.groups.flatMap(\.files).map(plan.path) {
        let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
        let source = Source(path: path, text: text)
        sources.append((plan, source))
        for var site in SiteFinder(source, plan).sites {
          site.first = next
          next += site.changes.count
          // Sites that are left out have numbers too, so that a sample is the same in each run.
          if !isLeftOut(site) { sites.append(site) }
        }
      }
    }
  }

  var mutants: [Mutant] {
    var places: [String: Int] = [:]
    return sites.flatMap { site in
      site.changes.enumerated().map { offset, change in
        var mutant = Mutant(number: site.first + offset, site: site, change: change)
        mutant.place = places[mutant.key, default: 0]
        places[mutant.key] = mutant.place + 1
        return mutant
      }
    }
  }

  mutating func remove(_ isMeant: (Site) -> Bool) -> [Site] {
    let removed = sites.filter(isMeant)
    sites.removeAll(where: isMeant)
    return removed
  }

  // MARK: Writing

  private static let folders = ["Sources", "Tests", "Resources"]
  /// Leaves out targets that the mutated ones and their tests do not need. Tests of lists need no
  /// screens.
  private static let manifest = """

    let needed: Set = ["FeedModelTests", "FolderStoreTests", "ReaderUITests", "SyncEngineTests"]
    let unneeded: Set = [
      "ArticleScreens", "ArticleText", "Books", "CBuild", "CNcurses", "CPictures", "CProcess",
      "FaultyDisk", "Importers", "NcursesTerminal", "ProgramSettings", "ReaderServices", "ReaderUI",
      "Wording",
    ]
    package.products = []
    package.targets.removeAll {
      ($0.type == .test && !needed.contains($0.name)) || $0.type == .executable
        || unneeded.contains($0.name)
    }
    for target in package.targets where target.name == "ReaderUITests" {
      target.dependencies = ["FeedStore", "TerminalKit", "TerminalViews", "TestSupport"]
      target.exclude += ["InterfaceBudget.swift", "Support"]
    }

    """

  /// Copies the package; unchanged files keep their dates.
  func write() throws {
    let files = FileManager.default
    for folder in Self.folders {
      let paths = try files.subpathsOfDirectory(atPath: root.appending(path: folder).path)
      for path in paths where !path.contains(".build") && !path.hasPrefix("Tools/Mutants/") {
        let from = root.appending(path: "\(folder)/\(path)")
        if sources.contains(where: { $0.source.path == "\(folder)/\(path)" }) { continue }
        if path.hasSuffix("Tests.swift"), try !holdsSuite(from) { continue }
        if try from.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true {
          try write(Data(contentsOf: from), to: "\(folder)/\(path)")
        }
      }
    }
    try write(Data(contentsOf: root.appending(path: "Package.resolved")), to: "Package.resolved")
    let manifest = try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
    try write(Data((manifest + Self.manifest).utf8), to: "Package.swift")
    try writeMutants()
  }

  /// True for files with a needed suite or a part of one; other files are left out to shorten the
  /// build.
  private func holdsSuite(_ file: URL) throws -> Bool {
    let text = try String(contentsOf: file, encoding: .utf8)
    let suites = Plan.all.flatMap(\.groups).flatMap { $0.suites.split(separator: "|") }
    return suites.contains { suite in
      ["struct", "class", "extension"].contains { text.contains("\($0) \(suite) ") }
    }
  }

  func writeMutants() throws {
    for (_, source) in sources { try write(Data(text(of: source).utf8), to: source.path) }
    for plan in Plan.all {
      try write(Data(support(plan).utf8), to: plan.path("Mutants.swift"))
    }
  }

  private func write(_ data: Data, to path: String) throws {
    let url = copy.appending(path: path)
    if let there = try? Data(contentsOf: url), there == data { return }
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: url)
  }

  private func text(of source: Source) -> String {
    let sites = sites.filter { $0.path == source.path }
    var opening: [Int: [Site]] = [:]
    var closing: [Int: [Site]] = [:]
    for site in sites {
      opening[site.range.lowerBound, default: []].append(site)
      closing[site.range.upperBound, default: []].append(site)
    }
    var bytes: [UInt8] = []
    var index = 0
    while index <= source.bytes.count {
      for site in (closing[index] ?? []).sorted(by: { $0.range.count < $1.range.count }) {
        bytes += site.numbered(site.after).utf8
      }
      let starting = (opening[index] ?? []).sorted { $0.range.count > $1.range.count }
      for site in starting { bytes += site.numbered(site.before).utf8 }
      if let site = starting.first(where: { $0.replacement != nil }) {
        bytes += site.numbered(site.replacement ?? "").utf8
        index = site.range.upperBound
        continue
      }
      if index < source.bytes.count { bytes.append(source.bytes[index]) }
      index += 1
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The switch of a module, and its operators.
  private func support(_ plan: Plan) -> String {
    let declarations = sites.filter { $0.path.hasPrefix(plan.path("")) }
      .map { $0.numbered($0.declaration) }
    let imports = plan.imports.map { "public import \($0)\n" }.joined()
    return imports + """
      #if canImport(Glibc)
        private import Glibc
      #else
        private import Darwin
      #endif

      private nonisolated let number = getenv("WEIR_MUTANT").flatMap { Int(String(cString: $0)) } ?? 0
      /// One byte for each mutant, 1 once its code has run.
      private nonisolated(unsafe) let reached: UnsafeMutableRawPointer? = {
        guard let path = getenv("WEIR_MUTANTS_REACHED") else { return nil }
        let file = open(path, O_RDWR)
        return file < 0 ? nil : mmap(nil, 65_536, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
      }()

      public nonisolated func isMutant(_ this: Int) -> Bool {
        reached?.storeBytes(of: 1, toByteOffset: this, as: UInt8.self)
        return number == this
      }
      public nonisolated func not(_ this: Int, _ value: Bool) -> Bool { isMutant(this) != value }
      public nonisolated func flag(_ this: Int, _ value: Bool) -> Bool { isMutant(this) != value }
      public nonisolated func constant<T: Numeric>(_ this: Int, _ value: T) -> T {
        if isMutant(this) { return value + 1 }
        return value == 1 && isMutant(this + 1) ? 0 : value
      }

      """ + declarations.joined(separator: "\n") + "\n"
  }
}
