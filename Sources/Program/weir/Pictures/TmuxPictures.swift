import Foundation
import Programs
import ReaderUI
import TerminalKit

/// tmux's settings for pictures.
struct TmuxPictures: Equatable {
  /// True if `allow-passthrough` is on, as always before tmux 3.3.
  var isPassedOn: Bool
  /// `TERM` of the terminal that runs tmux; empty if no client is attached.
  var terminal: String

  init(_ output: String) {
    let parts = output.trimmingCharacters(in: .whitespacesAndNewlines)
      .split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    isPassedOn = !["0", "off"].contains(parts.first ?? "")
    terminal = parts.count > 1 ? String(parts[1]) : ""
  }

  private static let words = [
    "tmux", "display-message", "-p", "#{allow-passthrough}|#{client_termname}",
  ]
  /// Time limit; tmux answers within milliseconds, or hangs.
  private static let timeout = Duration.seconds(1)

  /// Asks tmux for its settings; `nil` outside tmux, or if it does not answer.
  static func ask(_ environment: [String: String]) async -> TmuxPictures? {
    guard environment["TMUX"]?.isEmpty == false else { return nil }
    let runner = ProgramRunner(timeout: timeout, outputLimit: 1_000)
    do throws(ProgramRunner.Failure) {
      return TmuxPictures(String(decoding: try await runner.output(of: words), as: UTF8.self))
    } catch {
      return nil
    }
  }

  var hasPlaceholders: Bool {
    terminal.hasPrefix("xterm-kitty") || terminal.hasPrefix("xterm-ghostty")
  }
}

extension PictureDisplay {
  func choice(
    in environment: [String: String] = ProcessInfo.processInfo.environment
  ) async -> PictureChoice {
    guard self == .auto || self == .kitty else { return terminalChoice }
    return choice(within: await TmuxPictures.ask(environment))
  }

  /// - Parameter tmux: tmux's settings; `nil` without tmux, or if unknown.
  func choice(within tmux: TmuxPictures?) -> PictureChoice {
    switch (self, tmux) {
    case (.kitty, let tmux?) where !tmux.isPassedOn: .blocks
    case (.auto, let tmux?) where tmux.isPassedOn && tmux.hasPlaceholders: .use(.kitty)
    default: terminalChoice
    }
  }
}
