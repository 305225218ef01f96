import Foundation

/// A place in a source whose code is replaced by code that selects a mutant.
struct Site {
  var path: String
  var line: Int
  var lineText: String
  var range: Range<Int>
  /// Names of the mutants, such as `< → <=`.
  var changes: [String]
  /// Inserted before and after the code; `#` is the number of the first mutant, `§` the same as
  /// signs.
  var before = ""
  var after = ""
  /// The operator that replaces this one, and its declaration.
  var replacement: String?
  var declaration = ""
  var isStatement = false
  var first = 0

  func numbered(_ text: String) -> String {
    let digits = Array("¡¢£¤¥¦§©¬®")
    let signs = String(String(first).compactMap(\.wholeNumberValue).map { digits[$0] })
    return text.replacingOccurrences(of: "§", with: signs)
      .replacingOccurrences(of: "#", with: String(first))
  }
}

/// Finds the sites of a source.
struct SiteFinder {
  let source: Source
  let plan: Plan
  private(set) var sites: [Site] = []

  init(_ source: Source, _ plan: Plan) {
    (self.source, self.plan) = (source, plan)
    findOperators()
    findLiterals()
    findConditions()
    findReturns()
    findStatements()
  }

  private mutating func add(
    _ range: Range<Int>, _ changes: [String], before: String = "", after: String = "",
    isStatement: Bool = false
  ) {
    let start = range.lowerBound
    sites.append(
      Site(
        path: source.path, line: source.line(at: start) + 1, lineText: source.lineText(at: start),
        range: range, changes: changes, before: before, after: after, isStatement: isStatement))
  }

  // MARK: Operators

  private static let others = [
    "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"], "==": ["!="],
    "!=": ["=="], "&&": ["||"], "||": ["&&"], "+": ["-"], "-": ["+"], "+=": ["-="], "-=": ["+="],
  ]

  private mutating func findOperators() {
    for range in source.matches(#"(?<!func)\s([<>=!]=|[<>]|&&|\|\||[-+]=?)(?=\s)"#) {
      let sign = source.text(range)
      guard let others = Self.others[sign] else { continue }
      let isNil = source.text(range.upperBound..<range.upperBound + 4) == " nil"
      add(range, others.map { "\(sign) → \($0)" })
      sites[sites.count - 1].replacement = sign + "§"
      sites[sites.count - 1].declaration = declaration(sign, others, isNil: isNil)
    }
  }

  private func declaration(_ sign: String, _ others: [String], isNil: Bool) -> String {
    func function(_ signature: String, _ body: String) -> String {
      "public nonisolated func \(sign)§ \(signature) { \(body) }\n"
    }
    let choice = "isMutant(#) ? a \(others[0]) b : a \(sign) b"
    switch sign {
    case "&&", "||":
      let kind = sign == "&&" ? "Conjunction" : "Disjunction"
      return "infix operator \(sign)§: Logical\(kind)Precedence\n"
        + function(
          "(a: Bool, b: @autoclosure () -> Bool) -> Bool",
          "isMutant(#) ? a \(others[0]) b() : a \(sign) b()")
    case "+=", "-=":
      var text =
        "infix operator \(sign)§: AssignmentPrecedence\n"
        + function(
          "<T: AdditiveArithmetic>(a: inout T, b: T)",
          "if isMutant(#) { a \(others[0]) b } else { a \(sign) b }")
      if sign == "+=" {
        text += function("<T>(a: inout [T], b: some Sequence<T>)", "if !isMutant(#) { a += b }")
      }
      return text
    case "+", "-":
      var text =
        "infix operator \(sign)§: AdditionPrecedence\n"
        + function("<T: AdditiveArithmetic>(a: T, b: T) -> T", choice)
      if sign == "+" { text += function("<T>(a: [T], b: [T]) -> [T]", "isMutant(#) ? a : a + b") }
      for sum in plan.sums where sum.sign == sign {
        text += function(
          "(a: \(sum.left), b: \(sum.right)) -> \(sum.result)",
          "isMutant(#) ? \(sum.mutated) : a \(sign) b")
      }
      return text
    default:
      let types =
        isNil
        ? "<T>(a: T?, b: _OptionalNilComparisonType)"
        : "<T: \(others.count == 1 ? "Equatable" : "Comparable")>(a: T, b: T)"
      let second = others.count == 1 ? "" : "isMutant(# + 1) ? a \(others[1]) b : "
      return "infix operator \(sign)§: ComparisonPrecedence\n"
        + function("\(types) -> Bool", second + choice)
    }
  }

  // MARK: Literals, conditions and results

  private mutating func findLiterals() {
    for range in source.matches(#"\bfalse\b|(?<!while )\btrue\b"#) {
      let isTrue = source.text(range) == "true"
      add(range, [isTrue ? "true → false" : "false → true"], before: "flag(#, ", after: ")")
    }
    for range in source.matches(#"(?<![\w$]|[\w)]\.)\d[\d_]*(?![\w]|\.\d)"#) {
      let text = source.text(range)
      guard let number = Int(text.replacingOccurrences(of: "_", with: "")) else { continue }
      let changes = number == 1 ? ["\(text) → 2", "\(text) → 0"] : ["\(text) → \(number + 1)"]
      add(range, changes, before: "constant(#, ", after: ")")
    }
  }

  private mutating func findConditions() {
    for range in source.matches(
      #"(?<![#\w.])(?:(?:if|guard|while)|(?:(?m)^ *(?:for .* )?where))(?=\s)"#)
    {
      let isGuard = source.text(range) == "guard"
      var start = range.upperBound
      for offset in source.outside(from: start) {
        let isEnd =
          isGuard
          ? source.code[offset...].starts(with: "else".utf8)
          : source.code[offset] == UInt8(ascii: "{")
        guard isEnd || source.code[offset] == UInt8(ascii: ",") else { continue }
        let clause = source.trimmed(start..<offset)
        let text = source.text(clause)
        start = offset + 1
        // A comparison alone is negated as an operator.
        let isComparison = text.contains(#/ ([<>=!]=|[<>]) /#) && !text.contains(#/&&|\|\||[({]/#)
        let isBinding = ["let ", "var ", "case ", "true"].contains(where: text.hasPrefix)
        if !clause.isEmpty, !isBinding, !isComparison {
          add(clause, ["\(source.excerpt(clause)) → negated"], before: "not(#, ", after: ")")
        }
        if isEnd { break }
      }
    }
  }

  private mutating func findReturns() {
    for range in source.matches(#"\breturn\b(?! nil\b)(?= )"#) {
      guard let type = source.resultType(around: range.lowerBound) else { continue }
      let isList = type.hasPrefix("[") && type.hasSuffix("]")
      guard isList || type.hasSuffix("?") else { continue }
      let empty = !isList ? "nil" : type.contains(":") ? "[:]" : "[]"
      add(range, ["return → return \(empty)"], before: "if isMutant(#) { return \(empty) }; ")
    }
  }

  // MARK: Statements

  private static let keyword =
    #"(?!(?:if|guard|for|while|switch|case|return|let|var|func|defer|throw|break|continue|default|else|import|struct|enum|extension|private|static|mutating|init|do|package|public|internal|where)\b)"#

  private mutating func findStatements() {
    // A whole line, the rest after `case …:`, or the block of a line.
    let patterns = [
      #"(?m)(?<![,(\[=&|+?*/<>-])\n *("# + Self.keyword + #"[a-zA-Z_(].*)$"#,
      #"(?m)^ *(?:case .*?|default): ("# + Self.keyword + #"[a-zA-Z_(].*)$"#,
      #"(?m)^ *(?:if|for|while|else|\} else|(?:private )?mutating) .*?\{ ("# + Self.keyword
        + #"[a-zA-Z_(].*) \}$"#,
    ]
    for range in patterns.flatMap(source.matches) {
      let range = source.trimmed(range)
      let text = source.text(range)
      let rest = source.text(range.upperBound..<min(range.upperBound + 60, source.code.count))
        .trimmingCharacters(in: .whitespacesAndNewlines)
      let isContinued = [
        ".", "&&", "||", "+ ", "- ", "? ", ": ", "??", "* ", "/ ", "==", "= ", "< ", "> ",
      ]
      .contains(where: rest.hasPrefix)
      let isAssignment = [" = ", " += ", " -= "].contains(where: text.contains)
      let ends = source.outside(from: range.lowerBound)
      guard !isContinued, isAssignment || text.hasSuffix(")") && !text.hasPrefix("("),
        ends.contains(range.upperBound), !isInInitializer(range)
      else { continue }
      add(
        range, ["\(source.excerpt(range)) → removed"], before: "if !isMutant(#) { ", after: " }",
        isStatement: true)
    }
  }

  /// True in initializers, whose assignments cannot be removed: stored properties must be set.
  private func isInInitializer(_ range: Range<Int>) -> Bool {
    let heads = source.matches(#"(?m)^ *.*\b(?:func|init\??|var|subscript)\b.*$"#)
    guard let head = heads.last(where: { $0.lowerBound <= range.lowerBound }) else { return false }
    return source.text(head).contains("init(") || source.text(head).contains("init?(")
  }
}
