import Foundation
import Testing

/// Demands a comment on public types and functions and on the requirements of public protocols.
/// The linter's rule demands one on every property, case and initialiser too, so it is off.
@Suite("The documentation of what is public") struct PublicDocumentation {
  /// The declarations without a comment that they must have, by their lines from 1.
  static func undocumented(in source: [Substring]) -> [Int] {
    // The declarations around a line, outermost first: a public protocol or not, and its indent.
    var around: [(isPublicProtocol: Bool, indent: Int)] = []
    var found: [Int] = []
    for (index, line) in source.enumerated() {
      let text = line.drop { $0 == " " }
      let indent = line.count - text.count
      guard !text.isEmpty, !text.hasPrefix("//"), !text.hasPrefix("#") else { continue }
      while let last = around.last, indent <= last.indent { around.removeLast() }
      let isRequirement =
        around.last.map { $0.isPublicProtocol && indent == $0.indent + 2 } ?? false
        && Self.isRequirement(text)
      if isRequirement || isPublicTypeOrFunction(text), !hasComment(above: index, source) {
        found.append(index + 1)
      }
      if let isPublicProtocol = declaresType(text) { around.append((isPublicProtocol, indent)) }
    }
    return found
  }

  private static let beginnings: Set<Substring> = [
    "public", "indirect", "final", "enum", "protocol", "struct", "class", "actor", "extension",
  ]

  private static func mayDeclare(_ line: Substring) -> Bool {
    let first = line.prefix { $0 != " " && $0 != "(" }
    return first.hasPrefix("@") || beginnings.contains(first)
  }

  private static func isPublicTypeOrFunction(_ line: Substring) -> Bool {
    let pattern =
      /^(?:@\w+(?:\([^)]*\))? )*public (?:indirect |final |static |mutating |nonmutating |nonisolated |class )*(?:enum|protocol|struct|class|actor|typealias|func|subscript)\b/
    return mayDeclare(line) && line.contains(pattern)
  }

  /// Whether a type that begins in a line is a public protocol; `nil` where no type begins.
  private static func declaresType(_ line: Substring) -> Bool? {
    let pattern =
      /^(?:@\w+(?:\([^)]*\))? )*(public )?(?:indirect |final )*(enum|protocol|struct|class|actor|extension)\b/
    guard mayDeclare(line), let match = line.firstMatch(of: pattern) else { return nil }
    return match.1 != nil && match.2 == "protocol"
  }

  private static func isRequirement(_ line: Substring) -> Bool {
    let pattern =
      /^(?:@\w+(?:\([^)]*\))? )*(?:mutating |nonmutating |static )*(?:func|var|init|associatedtype|subscript)\b/
    return line.contains(pattern)
  }

  private static func hasComment(above index: Int, _ source: [Substring]) -> Bool {
    let above = source[..<index].last { !$0.drop { $0 == " " }.hasPrefix("@") }
    return above?.drop { $0 == " " }.hasPrefix("///") == true
  }

  @Test("Every public type and function and every requirement of a public protocol is documented")
  func declarationsAreDocumented() throws {
    for file in ImportRules.files(under: "Sources", withExtensions: ["swift"]) {
      let path = file.path.dropFirst(ImportRules.root.path.count + 1)
      for line in Self.undocumented(in: try ImportRules.lines(of: file)) {
        Issue.record("\(path):\(line): say what it is")
      }
    }
  }

  @Test("Types, functions and requirements without a comment are found; properties need none")
  func findsThem() {
    let source = """
      /// Documented.
      public enum A {
        case first
        public struct Inner {
          public let value: Int
          public init() {}
          func own() {}
        }
      }
      /// Documented.
      public protocol P {
        @MainActor
        func act()
        /// Documented.
        @discardableResult
        func rest() -> Int
        var name: String { get }
      }
      struct S {
        @discardableResult public static func make() -> Int { 1 }
      }
      """
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(Self.undocumented(in: lines) == [4, 13, 17, 20])
  }
}
