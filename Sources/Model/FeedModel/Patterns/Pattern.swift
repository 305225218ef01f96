import CRE2

// This target alone uses RE2.

/// A compiled regular expression in RE2's syntax (github.com/google/re2/wiki/Syntax). Ignores case
/// unless it begins with `(?-i)`.
///
/// Matching takes linear time for every pattern: RE2 does not backtrack (Cox, "Regular Expression
/// Matching Can Be Simple And Fast", 2007). Patterns beyond the limits of memory and size are
/// rejected.
public struct Pattern: Sendable, Hashable {
  /// The pattern without the slashes around it.
  public let source: String
  private let compiled: Compiled

  /// The reason that a pattern cannot be used.
  public struct Problem: Error, Sendable, Hashable {
    /// The kind of error.
    public enum Kind: String, Sendable, CaseIterable {
      case empty
      /// The escape `\q`, or a final backslash. RE2 has no back references (`\1`) either.
      case escape
      /// A range such as `[z-a]`, `[[:nothing:]]`.
      case range
      /// A `[` without `]`.
      case bracket
      case parenthesis
      /// A `*` after nothing, `a**`, `a{2000}`.
      case repetition
      /// A `(?…)` that RE2 lacks, such as look-ahead and look-behind.
      case group
      /// The source is not valid UTF-8.
      case encoding
      /// The source has more than 1,000 bytes, or needs too much memory.
      case tooLarge
      /// Another error, in RE2's words.
      case other
    }
    public var kind: Kind
    /// The position in characters of the source from 0; `nil` if unknown.
    public var position: Int?
    public init(_ kind: Kind, at position: Int? = nil) {
      (self.kind, self.position) = (kind, position)
    }
  }

  /// Longest source in bytes of UTF-8.
  public static let longest = 1_000
  /// Maximum number of bytes of a pattern and its automata.
  private static let memory: Int64 = 1 << 20
  /// Maximum number of instructions, which bound the cost of a byte of text if an automaton needs
  /// too much memory.
  private static let mostInstructions: Int32 = 3_000

  /// - Throws: the error and its position.
  public init(_ source: String) throws(Problem) {
    guard !source.isEmpty else { throw Problem(.empty) }
    guard source.utf8.count <= Self.longest else { throw Problem(.tooLarge) }
    var text = source
    var code: Int32 = 0
    var offset: Int64 = -1
    let handle = text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        weir_re2_compile(
          characters.baseAddress, characters.count, Self.memory, Self.mostInstructions, &code,
          &offset)
      }
    }
    guard let handle else { throw Problem(Self.kind(code), at: Self.place(offset, in: source)) }
    self.source = source
    compiled = Compiled(handle)
  }

  private static func kind(_ code: Int32) -> Problem.Kind {
    switch Int(code) {
    case weir_re2_escape: .escape
    case weir_re2_range: .range
    case weir_re2_bracket: .bracket
    case weir_re2_parenthesis: .parenthesis
    case weir_re2_repetition: .repetition
    case weir_re2_group: .group
    case weir_re2_encoding: .encoding
    case weir_re2_size: .tooLarge
    default: .other
    }
  }

  private static func place(_ offset: Int64, in source: String) -> Int? {
    guard offset >= 0, offset <= source.utf8.count else { return nil }
    return String(decoding: source.utf8.prefix(Int(offset)), as: UTF8.self).count
  }

  // MARK: Matching

  /// Returns true if the pattern matches anywhere in the text.
  public func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        weir_re2_matches(compiled.handle, $0.baseAddress, $0.count) != 0
      }
    }
  }

  public func matches(_ text: [UInt8]) -> Bool {
    text.withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        weir_re2_matches(compiled.handle, $0.baseAddress, $0.count) != 0
      }
    }
  }

  /// Returns the non-overlapping, non-empty matches as ranges of UTF-8 bytes.
  public func ranges(in text: String, atMost most: Int = .max) -> [Range<Int>] {
    var text = text
    return text.withUTF8 { ranges(in: $0, atMost: most) }
  }

  public func ranges(in text: [UInt8], atMost most: Int = .max) -> [Range<Int>] {
    text.withUnsafeBufferPointer { ranges(in: $0, atMost: most) }
  }

  private func ranges(in text: UnsafeBufferPointer<UInt8>, atMost most: Int) -> [Range<Int>] {
    text.withMemoryRebound(to: CChar.self) { characters in
      var ranges: [Range<Int>] = []
      var (start, from, to) = (0, 0, 0)
      while ranges.count < most, start <= characters.count,
        weir_re2_find(
          compiled.handle, characters.baseAddress, characters.count, start, &from, &to) != 0
      {
        if to > from {
          ranges.append(from..<to)
          start = to
        } else {
          // Continues after the character with an empty match.
          start = to + 1
          while start < characters.count, UInt8(bitPattern: characters[start]) & 0xC0 == 0x80 {
            start += 1
          }
        }
      }
      return ranges
    }
  }

  public static func == (a: Pattern, b: Pattern) -> Bool { a.source == b.source }
  public func hash(into hasher: inout Hasher) { hasher.combine(source) }
}

extension Pattern {
  /// Returns the source of a pattern for adjacent whole words.
  /// - Parameter isPrefix: true if the last word is a prefix.
  public static func source(ofWords text: String, isPrefix: Bool) -> String {
    func isWord(_ character: Character?) -> Bool {
      character.map { $0.isASCII && ($0.isLetter || $0.isNumber) } ?? false
    }
    let words = text.split(whereSeparator: \.isWhitespace).map { word in
      word.map { "\\.+*?()|[]{}^$".contains($0) ? "\\\($0)" : String($0) }.joined()
    }.joined(separator: "\\s+")
    // RE2 supports word boundaries for ASCII only.
    return (isWord(text.first) ? "\\b" : "") + words
      + (!isPrefix && isWord(text.last) ? "\\b" : "")
  }

  /// Returns the pattern of a text in slashes, such as `/deals?/`; `nil` for other texts.
  public static func source(of text: String) -> String? {
    guard text.utf8.count > 2, text.hasPrefix("/"), text.hasSuffix("/") else { return nil }
    return String(text.dropFirst().dropLast()).replacing("\\/", with: "/")
  }
}

/// Owns RE2's object, which is thread-safe for matching (re2.h).
private final class Compiled: @unchecked Sendable {
  let handle: OpaquePointer
  init(_ handle: OpaquePointer) { self.handle = handle }
  deinit { weir_re2_free(handle) }
}

/// Patterns searched together in one pass over a text.
public struct PatternSet: Sendable {
  private let compiled: CompiledSet

  /// Maximum number of bytes of the patterns and their automaton.
  private static let memory: Int64 = 16 << 20

  /// Returns `nil` if there are no patterns, or if they are too large together.
  public init?(_ patterns: [Pattern]) {
    guard !patterns.isEmpty, let handle = weir_re2_set_new(Self.memory) else { return nil }
    compiled = CompiledSet(handle)
    for pattern in patterns {
      var source = pattern.source
      let isAdded = source.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          weir_re2_set_add(handle, $0.baseAddress, $0.count) != 0
        }
      }
      guard isAdded else { return nil }
    }
    guard weir_re2_set_compile(handle) != 0 else { return nil }
  }

  /// Returns the indexes of matching patterns in no order; `nil` if the memory does not suffice, so
  /// that patterns must be matched one by one.
  public func matches(in text: String) -> [Int]? {
    var text = text
    var found: [Int] = []
    let isKnown = text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        withUnsafeMutablePointer(to: &found) { found in
          weir_re2_set_match(compiled.handle, characters.baseAddress, characters.count, found) {
            $0?.assumingMemoryBound(to: [Int].self).pointee.append(Int($1))
          } != 0
        }
      }
    }
    return isKnown ? found : nil
  }
}

/// Owns RE2's object, which is thread-safe for matching (re2/set.h).
private final class CompiledSet: @unchecked Sendable {
  let handle: OpaquePointer
  init(_ handle: OpaquePointer) { self.handle = handle }
  deinit { weir_re2_set_free(handle) }
}
