/// Public types and the requirements of public protocols need a comment. Other declarations have
/// one where it says more than their names and types.
@Suite("Documentation of public declarations") struct PublicDocumentation {
  /// Returns the line numbers, from 1, of declarations that need a comment and have none.
  static func undocumented(in source: [Substring]) -> [Int] {
    // Indents of the public protocols around a line.
    var protocols: [Int] = []
    var found: [Int] = []
    for (index, line) in source.enumerated() {
      let text = line.drop { $0 == " " }
      let indent = line.count - text.count
      guard !text.isEmpty, !text.hasPrefix("//"), !text.hasPrefix("#") else { continue }
      protocols.removeAll { indent <= $0 }
      let isRequirement = protocols.last == indent - 2 && text.contains(requirement)
      if isRequirement || isPublicType(text), !hasComment(above: index, source) {
        found.append(index + 1)
      }
      if text.contains("protocol "), isPublicType(text) { protocols.append(indent) }
    }
    return found
  }

  private static func isPublicType(_ line: Substring) -> Bool {
    guard line.contains("public "), !line.contains(" import ") else { return false }
    let declaration =
      /^(?:@\w+(?:\([^)]*\))? )*public (?:\w+ )*?(?:enum|protocol|struct|class|actor) \w/
    return line.contains(declaration) && !line.hasPrefix("public class var ")
  }

  private static var requirement: Regex<Substring> {
    /^(?:@\w+(?:\([^)]*\))? )*(?:mutating |nonmutating |static )*(?:func|var|init|associatedtype|subscript)\b/
  }

  private static func hasComment(above index: Int, _ source: [Substring]) -> Bool {
    let above = source[..<index].last { !$0.drop { $0 == " " }.hasPrefix("@") }
    return above?.drop { $0 == " " }.hasPrefix("///") == true
  }

  @Test("Every public type and requirement of a public protocol is documented")
  func publicIsDocumented() throws {
    for file in ImportRules.files(under: "Sources", withExtensions: ["swift"]) {
      let path = file.path.dropFirst(ImportRules.root.path.count + 1)
      for line in Self.undocumented(in: try ImportRules.lines(of: file)) {
        Issue.record("\(path):\(line): say what it is")
      }
    }
  }

  @Test("A declaration without a comment is found, even in nested types") func findsThem() {
    let source = """
      @_exported public import struct B.C
      /// Documented.
      public enum A {
        case first
        public enum Inner { case own }
        public var name: String
      }
      public protocol P {
        @MainActor
        func act()
        /// Documented.
        @discardableResult
        func rest() -> Int
      }
      struct S {
        func own() {}
        @MainActor public mutating func change() {}
      }
      """
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(Self.undocumented(in: lines) == [5, 8, 10])
  }
}
