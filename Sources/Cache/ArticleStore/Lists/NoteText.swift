public import FeedModel
import TextRules

extension ArticleNote {
  /// Returns plain text as HTML paragraphs, separated at empty lines; other line ends stay. Markup
  /// is escaped; control characters and escape sequences are removed.
  public static func html(ofText text: String) -> String {
    TextHTML.paragraphs(of: withoutSequences(text))
  }

  /// Removes the escape sequences that a terminal would obey (ECMA-48).
  private static func withoutSequences(_ text: String) -> String {
    var out = String.UnicodeScalarView()
    var scalars = text.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      if scalar == "\u{1B}" { skipSequence(&scalars) } else { out.append(scalar) }
    }
    return String(out)
  }

  private static func skipSequence(_ scalars: inout String.UnicodeScalarView.Iterator) {
    guard let first = scalars.next() else { return }
    switch first {
    case "[":
      while let next = scalars.next(), !(0x40...0x7E).contains(next.value) {}
    case "]", "P", "_", "^", "X":
      while let next = scalars.next(), next.value != 0x07 {
        // ESC \ ends the sequence too.
        if next.value == 0x1B {
          _ = scalars.next()
          return
        }
      }
    default: break
    }
  }
}
