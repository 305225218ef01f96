import Foundation
import SyncEngine

/// What a program of the user's own prints. No shell reads its words.
enum ProgramOutput {
  /// Seconds: a keyring may ask its owner first.
  private static let patience = 60.0
  /// Bytes; no password is that long.
  private static let limit = 64 << 10

  /// The first line that a program prints.
  static func password(of words: [String]) async throws(CommandFailure) -> Password {
    let output = try await bytes(of: words)
    let line = output.prefix { $0 != 0x0A && $0 != 0x0D }
    guard !line.isEmpty else {
      throw CommandFailure("\(ProgramLauncher.name(words)) printed no password.")
    }
    return Password(String(decoding: line, as: UTF8.self))
  }

  /// - Parameter input: what it gets to read.
  static func bytes(of words: [String], input: String = "") async throws(CommandFailure) -> [UInt8]
  {
    let result = await withCheckedContinuation { continuation in
      // It blocks, and other work must not wait for it.
      let thread = Thread {
        let runner = ProgramRunner(patience: patience, outputLimit: limit)
        continuation.resume(
          returning: Result { () throws(ProgramRunner.Failure) in
            try runner.run(words, input: Array(input.utf8)) { false }
          })
      }
      thread.name = "password"
      thread.start()
    }
    do throws(ProgramRunner.Failure) {
      return try result.get()
    } catch {
      throw CommandFailure("\(ProgramLauncher.name(words)) gave no password: \(error.fact).")
    }
  }
}
