// `make mutants`: changes the pure parts of the program in one place at a time, and counts the
// changes that the suites of their targets kill.

import Foundation

let arguments = CommandLine.arguments.dropFirst()
let onlyFiles = arguments.first { !$0.hasPrefix("-") }
let onlySurvivors = arguments.contains("--survivors")
/// True if only each third mutant runs.
let isSample = arguments.contains("--sample")
let root = URL(filePath: FileManager.default.currentDirectoryPath)
let work = root.appending(path: ".build/mutants")
let copy = work.appending(path: "weir")
let runner = Runner(copy: copy, scratch: work.appending(path: "build"))

do {
  try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
  if arguments.contains("--list") {
    for mutant in try Instrumented(root: root, copy: copy, isLeftOut: { _ in false }).mutants {
      print("\(mutant.site.path):\(mutant.site.line): \(mutant.change)")
    }
    exit(0)
  }
  let instrumented = try build()
  let outcomes = try run(instrumented.mutants)
  let isGood = try Report(
    instrumented.mutants, outcomes,
    Equivalents(root.appending(path: "Tests/Tools/Mutants/equivalent.txt"))
  ).print()
  exit(isGood ? 0 : 1)
} catch {
  print(error)
  exit(2)
}

/// Builds the instrumented copy; sites that do not compile are left out, now and in the next run.
func build() throws -> Instrumented {
  let record = work.appending(path: "uncompiled.txt")
  let known = (try? String(contentsOf: record, encoding: .utf8)) ?? ""
  var uncompiled = Set(known.split(separator: "\n").map(String.init))
  func key(_ site: Site) -> String { "\(site.path)\t\(site.lineText)\t\(site.changes[0])" }
  var instrumented = try Instrumented(root: root, copy: copy) { uncompiled.contains(key($0)) }
  try instrumented.write()
  for _ in 0..<20 {
    log("Building with \(instrumented.mutants.count) mutants …")
    let errors = try runner.build()
    if errors.isEmpty { return instrumented }
    var removed: [Site] = []
    for error in errors {
      let here = { (site: Site) in site.path == error.path && site.line == error.line }
      var found = instrumented.remove { here($0) && $0.isStatement }
      if found.isEmpty { found = instrumented.remove(here) }
      removed += found
    }
    if removed.isEmpty {
      // The compiler reports an error of the control flow below its cause, and one of a closure's
      // type above it.
      for error in errors {
        removed += instrumented.remove {
          $0.path == error.path && $0.isStatement
            && (error.line - 40..<error.line + 15).contains($0.line)
        }
      }
    }
    guard !removed.isEmpty else {
      throw Failure(description: "Does not compile: \(errors.map { "\($0.path):\($0.line)" })")
    }
    uncompiled.formUnion(removed.map(key))
    try uncompiled.sorted().joined(separator: "\n").write(
      to: record, atomically: true, encoding: .utf8)
    try instrumented.writeMutants()
  }
  throw Failure(description: "Does not compile")
}

/// Runs the tests with each mutant.
/// - Returns: the outcome by name, with those of an earlier run that are not repeated.
func run(_ mutants: [Mutant]) throws -> [String: Outcome] {
  let record = work.appending(path: "outcomes.txt")
  let earlier = (try? String(contentsOf: record, encoding: .utf8)) ?? ""
  var outcomes: [String: Outcome] = [:]
  for line in earlier.split(separator: "\n") {
    let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
    outcomes[parts[1]] = Outcome(rawValue: parts[0])
  }
  for plan in Plan.all {
    for group in plan.groups {
      let paths = Set(group.files.map(plan.path))
      let wanted = mutants.filter { mutant in
        paths.contains(mutant.site.path) && (onlyFiles.map(mutant.site.path.contains) ?? true)
          && !(onlySurvivors && outcomes[mutant.name]?.isKilled ?? false)
          && (!isSample || mutant.number % 3 == 0)
      }
      if wanted.isEmpty { continue }
      let (seconds, reached) = try measure(group)
      for mutant in wanted {
        let outcome =
          reached[mutant.number] == 0
          ? .unreached : try runner.test(group.suites, number: mutant.number, seconds: seconds)
        outcomes[mutant.name] = outcome
        if !outcome.isKilled {
          log("\(outcome): \(mutant.site.path):\(mutant.site.line): \(mutant.change)")
        }
      }
      let lines = mutants.compactMap { mutant in
        outcomes[mutant.name].map { "\($0.rawValue)\t\(mutant.name)" }
      }
      try lines.joined(separator: "\n").write(to: record, atomically: true, encoding: .utf8)
    }
  }
  return outcomes
}

/// Runs the suites without a mutant.
/// - Returns: the time limit of a run in seconds, and a byte for each mutant, 1 if its code has
/// run.
func measure(_ group: Plan.Group) throws -> (Int, Data) {
  let file = work.appending(path: "reached")
  try Data(count: 65_536).write(to: file)
  let start = Date()
  let outcome = try runner.test(group.suites, number: 0, seconds: 600, reached: file)
  guard outcome == .survived else {
    throw Failure(description: "\(group.suites) fail without a mutant.")
  }
  let time = Date().timeIntervalSince(start)
  log("\(group.suites): \(String(format: "%.1f", time)) s a run")
  return (Int(time * 3) + 5, try Data(contentsOf: file))
}

func log(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
