import ReaderServices
import TerminalKit
import TerminalViews

/// Marks in the guide the keys whose command the user has performed.
nonisolated enum GuidePractice {
  /// Returns the HTML with a tick before each default key of a performed command.
  static func marked(_ html: String, _ performed: Set<Command>) -> String {
    let keys = Set(performed.flatMap(\.keys).compactMap { KeySequence($0) })
    return html.replacing(/<kbd>([^<]*)<\/kbd>/) { match -> String in
      let text = match.output.1.replacing("&lt;", with: "<").replacing("&gt;", with: ">")
        .replacing("&amp;", with: "&")
      return (KeySequence(text).map(keys.contains) == true ? "✓\u{A0}" : "") + match.output.0
    }
  }
}
