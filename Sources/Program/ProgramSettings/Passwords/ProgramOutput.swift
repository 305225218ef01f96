package import FeedModel
import Foundation
import Programs
import SyncEngine
import Wording

/// The output of a user's program, which is run without a shell.
package enum ProgramOutput {
  /// Time limit, since a keyring may ask its owner first.
  private static let patience = Duration.seconds(60)
  private static let limit = 64 << 10

  package static func password(of words: [String]) async throws(CommandFailure) -> Password {
    let output = try await bytes(of: words)
    let line = output.prefix { $0 != 0x0A && $0 != 0x0D }
    guard !line.isEmpty else {
      throw CommandFailure("\(ProgramRunner.name(words)) printed no password.")
    }
    return Password(String(decoding: line, as: UTF8.self))
  }

  static func bytes(of words: [String], input: String = "") async throws(CommandFailure) -> [UInt8]
  {
    do throws(ProgramRunner.Failure) {
      return try await ProgramRunner(patience: patience, outputLimit: limit)
        .output(of: words, input: Array(input.utf8))
    } catch {
      let reason = DetailWording.words(error.detail)
      throw CommandFailure("\(ProgramRunner.name(words)) gave no password: \(reason).")
    }
  }
}
