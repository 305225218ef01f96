import Foundation
import Testing

/// The linter wants a comment for each public declaration, but does not look at the cases of public
/// enumerations and the requirements of public protocols: they are public without the word.
@Suite("The documentation of what is public") struct PublicDocumentation {
  /// The cases and requirements of public types without a comment, by their lines from 1.
  static func undocumented(in source: [Substring]) -> [Int] {
    // The declarations around a line, outermost first: whether its members count, and its indent.
    var around: [(kind: Substring, indent: Int)] = []
    var found: [Int] = []
    for (index, line) in source.enumerated() {
      let text = line.drop { $0 == " " }
      let indent = line.count - text.count
      guard !text.isEmpty, !text.hasPrefix("//"), !text.hasPrefix("#") else { continue }
      while let last = around.last, indent <= last.indent { around.removeLast() }
      if let type = declaredType(in: text) {
        around.append((type, indent))
      } else if let last = around.last, indent == last.indent + 2, isMember(text, of: last.kind),
        !hasComment(above: index, source)
      {
        found.append(index + 1)
      }
    }
    return found
  }

  /// "enum" or "protocol" where a line begins a public one, an empty text where it begins another
  /// type.
  private static func declaredType(in line: Substring) -> Substring? {
    let first = line.prefix { $0 != " " && $0 != "(" }
    guard first.hasPrefix("@") || beginnings.contains(first) else { return nil }
    let pattern =
      /^(?:@\w+(?:\([^)]*\))? )*(public )?(?:indirect |final )*(enum|protocol|struct|class|actor|extension)\b/
    guard let match = line.firstMatch(of: pattern) else { return nil }
    return match.1 == nil ? "" : match.2
  }

  private static let beginnings: Set<Substring> = [
    "public", "indirect", "final", "enum", "protocol", "struct", "class", "actor", "extension",
  ]

  private static func isMember(_ line: Substring, of kind: Substring) -> Bool {
    switch kind {
    case "enum": return line.hasPrefix("case ")
    case "protocol":
      let pattern =
        /^(?:@\w+(?:\([^)]*\))? )*(?:mutating |nonmutating |static )*(?:func|var|init|associatedtype|subscript)\b/
      return line.contains(pattern)
    default: return false
    }
  }

  private static func hasComment(above index: Int, _ source: [Substring]) -> Bool {
    let above = source[..<index].last { !$0.drop { $0 == " " }.hasPrefix("@") }
    return above?.drop { $0 == " " }.hasPrefix("///") == true
  }

  @Test("Every case of a public enumeration and requirement of a public protocol is documented")
  func membersAreDocumented() throws {
    for file in ImportRules.files(under: "Sources", withExtensions: ["swift"]) {
      let path = file.path.dropFirst(ImportRules.root.path.count + 1)
      for line in Self.undocumented(in: try ImportRules.lines(of: file)) {
        Issue.record("\(path):\(line): say what it is")
      }
    }
  }

  @Test("One without a comment is found, in nested types too")
  func findsThem() {
    let source = """
      public enum A {
        /// Documented.
        case first
        case second
        enum Inner {
          case own
        }
      }
      public protocol P {
        @MainActor
        func act()
        /// Documented.
        @discardableResult
        func rest() -> Int
      }
      struct S {
        public enum B: Int {
          case third = 3
        }
      }
      """
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(Self.undocumented(in: lines) == [4, 11, 18])
  }
}
