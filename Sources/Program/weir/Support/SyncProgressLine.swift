import Foundation
import ProgramSettings
import TerminalKit

/// A line of progress on standard error that overwrites itself.
struct SyncProgressLine {
  enum Form: Sendable {
    /// A line like `███████░░░░░░ 212/1,000 · 1.4 MB/s · good · 3 failed`.
    case bar
    case lines

    static var ofTerminal: Form? {
      guard Console.errorsAreTerminal else { return nil }
      let type = Environment.value("TERM")
      return type == nil || type == "dumb" ? .lines : .bar
    }
  }

  private static let widestBar = 30
  private static let narrowestBar = 8
  /// The number of lines printed during a whole sync.
  private static let parts = 10

  private let form: Form
  private let cuts: Bool
  private var shown = ""
  private var shownPart = 0

  /// - Parameter cuts: true if the terminal cuts lines that became too wide, as xterm and the
  /// console do; others wrap them again.
  init(
    _ form: Form,
    cuts: Bool = Environment.value("XTERM_VERSION") != nil || Environment.value("TERM") == "linux"
  ) {
    (self.form, self.cuts) = (form, cuts)
  }

  mutating func show(_ request: RefreshRequest, _ status: SyncStatus, isPaused: Bool) {
    let parts = Self.words(request, status, isPaused: isPaused)
    switch form {
    case .lines:
      let part = request.total > 0 ? request.done * Self.parts / request.total : 0
      guard part > shownPart, request.done < request.total else { return }
      shownPart = part
      Console.note(parts.joined(separator: " \u{00B7} "))
    case .bar:
      let width = Console.columns(of: STDERR_FILENO) ?? 80
      let share = request.total > 0 ? Double(request.done) / Double(request.total) : 0
      if let change = change(to: Self.text(parts, share: share, width: width), width: width) {
        Console.showProgress(change.text, over: change.lines)
      }
    }
  }

  mutating func clear() {
    guard form == .bar, !shown.isEmpty,
      let change = change(to: "", width: Console.columns(of: STDERR_FILENO) ?? 80)
    else { return }
    Console.showProgress(change.text, over: change.lines)
  }

  /// Returns the output that replaces the shown text by another. A terminal rewraps before the
  /// program knows its new width, and a line written in between stays above the next; so nothing is
  /// written while the text stays the same.
  /// - Returns: the text and the lines above the cursor to remove; `nil` if the text is shown.
  mutating func change(to text: String, width: Int) -> (text: String, lines: Int)? {
    guard text != shown else { return nil }
    defer { shown = text }
    return (text, wrapped(width))
  }

  /// Returns the lines above the cursor after the window became narrower.
  private func wrapped(_ width: Int) -> Int {
    cuts || shown.isEmpty ? 0 : (GraphemeWidth.width(of: shown) - 1) / max(1, width)
  }

  static func words(
    _ request: RefreshRequest, _ status: SyncStatus, isPaused: Bool
  ) -> [String] {
    var parts = ["\(AmountWording.grouped(request.done))/\(AmountWording.grouped(request.total))"]
    if status.isRunning, status.rate > 0 { parts.append(AmountWording.rate(status.rate)) }
    if isPaused {
      parts.append("paused")
    } else if let quality = status.quality {
      parts.append(quality.rawValue)
    }
    if request.failed > 0 { parts.append("\(AmountWording.grouped(request.failed)) failed") }
    return parts
  }

  /// Returns a line narrower than the window, since some terminals wrap in the last column.
  static func text(_ parts: [String], share: Double, width: Int) -> String {
    var parts = parts
    var text = parts.joined(separator: " \u{00B7} ")
    while parts.count > 1, text.count > width - 1 {
      parts.removeLast()
      text = parts.joined(separator: " \u{00B7} ")
    }
    let bar = min(widestBar, width - text.count - 2)
    guard bar >= narrowestBar else { return String(text.prefix(max(0, width - 1))) }
    let full = Int(Double(bar) * min(1, max(0, share)))
    return String(repeating: "\u{2588}", count: full)
      + String(repeating: "\u{2591}", count: bar - full) + " " + text
  }
}
