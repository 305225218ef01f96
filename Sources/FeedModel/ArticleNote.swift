public import Foundation

/// What a program of the user's own said about an article: kept with it, and marked as such.
public struct ArticleNote: Sendable, Equatable, Identifiable {
  /// The key of its row in the cache; notes are listed in this order.
  public var id: Int64
  /// As the user calls the program.
  public var program: String
  /// When the program answered.
  public var at: Date
  /// Paragraphs without other markup; see `html(ofText:)`.
  public var html: String

  /// - Parameter html: made by `html(ofText:)`.
  public init(id: Int64, program: String, at: Date, html: String) {
    (self.id, self.program, self.at, self.html) = (id, program, at, html)
  }

  /// Bytes of a program's answer that are kept.
  public static let longest = 256 << 10

  /// Plain text as paragraphs: empty lines part them, other line ends stay. Nothing in it is
  /// markup; control characters and a terminal's sequences are left out.
  public static func html(ofText text: String) -> String {
    var paragraphs: [[String]] = [[]]
    for line in printable(text).split(separator: "\n", omittingEmptySubsequences: false) {
      if line.allSatisfy({ $0 == " " || $0 == "\t" }) {
        paragraphs.append([])
      } else {
        paragraphs[paragraphs.count - 1].append(escaped(line))
      }
    }
    return paragraphs.filter { !$0.isEmpty }
      .map { "<p>" + $0.joined(separator: "<br>") + "</p>" }.joined()
  }

  /// Without what a terminal would obey (ECMA-48): sequences that ESC begins, and other control
  /// characters.
  private static func printable(_ text: String) -> String {
    var out = String.UnicodeScalarView()
    var scalars = text.replacing("\r\n", with: "\n").unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      switch scalar.value {
      case 0x1B: skipSequence(&scalars)
      case 0x0A, 0x09: out.append(scalar)
      case 0..<0x20, 0x7F..<0xA0, 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: break
      default: out.append(scalar)
      }
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
        // ESC \ ends it too.
        if next.value == 0x1B {
          _ = scalars.next()
          return
        }
      }
    default: break
    }
  }

  private static func escaped(_ text: some StringProtocol) -> String {
    var out = ""
    for character in text {
      switch character {
      case "&": out += "&amp;"
      case "<": out += "&lt;"
      case ">": out += "&gt;"
      default: out.append(character)
      }
    }
    return out
  }
}
