import Foundation

/// Builds the copy and runs its tests.
struct Runner {
  let copy: URL
  let scratch: URL

  struct Place: Hashable {
    var path: String
    var line: Int
  }

  private var tests: String { scratch.appending(path: "debug/weirPackageTests.xctest").path }

  /// Runs a shell command.
  /// - Returns: its status and output.
  private func run(_ command: String, environment: [String: String] = [:]) throws -> (Int32, String)
  {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", command]
    process.currentDirectoryURL = copy
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let output = Pipe()
    (process.standardOutput, process.standardError) = (output, output)
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }

  /// Builds the tests.
  /// - Returns: the file and line of each error; empty if the build has succeeded.
  func build() throws -> Set<Place> {
    let (status, output) = try run(
      "swift build --build-tests -debug-info-format none --scratch-path '\(scratch.path)'")
    if status == 0 { return [] }
    let errors = output.split(separator: "\n").compactMap { line -> Place? in
      let parts = line.split(separator: ":")
      guard parts.count > 4, parts[3] == " error", let number = Int(parts[1]),
        let start = parts[0].range(of: "/Sources/")
      else { return nil }
      return Place(path: "Sources/" + parts[0][start.upperBound...], line: number)
    }
    if errors.isEmpty { throw Failure(description: String(output.suffix(4_000))) }
    return Set(errors)
  }

  /// Runs suites with one mutant.
  /// - Parameters:
  ///   - number: the mutant's number, or 0 for none.
  ///   - seconds: the time after which the outcome is `hung`.
  func test(_ suites: String, number: Int, seconds: Int, reached: URL? = nil) throws -> Outcome {
    // A mutant that appends for ever must not take the memory of the machine.
    let command =
      "ulimit -v 8000000; ulimit -c 0; exec timeout -k 1 \(seconds) '\(tests)'"
      + " --testing-library swift-testing --filter '\(suites)' --skip '\(Plan.skipped)'"
    // A crash is an outcome here and needs no backtrace.
    var environment = ["WEIR_MUTANT": String(number), "SWIFT_BACKTRACE": "enable=no"]
    if let reached { environment["WEIR_MUTANTS_REACHED"] = reached.path }
    let (status, output) = try run(command, environment: environment)
    return switch status {
    case 0 where output.contains("Test run with"): .survived
    case 0: throw Failure(description: "No tests: \(output.suffix(1_000))")
    case 1: .failed
    case 124, 137: .hung
    default: .crashed
    }
  }
}
