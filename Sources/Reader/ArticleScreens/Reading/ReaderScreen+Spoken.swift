import FeedModel
import ReaderServices
import TerminalKit
import TerminalViews

extension ReaderScreen {
  /// The lines of text in view, without margins and rules; empty while the text is laid out.
  package var spoken: [String]? {
    guard article != nil else { return nil }
    guard let document else { return [] }
    return document.lines.dropFirst(view.top).prefix(shownHeight).compactMap { line in
      let text = String(
        String.UnicodeScalarView(
          line.runs.lazy.flatMap { $0.text.unicodeScalars }.filter {
            !(0x2500...0x259F).contains($0.value)
          }))
      let words = text.split(separator: " ").joined(separator: " ")
      return words.isEmpty ? nil : words
    }
  }
}
