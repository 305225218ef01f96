import CRE2

// Regular expressions. Only this target calls RE2.

/// A regular expression in RE2's syntax (github.com/google/re2/wiki/Syntax), compiled. It ignores
/// case unless it begins with `(?-i)`.
///
/// Matching takes time linear in the length of the text, whatever the pattern is: RE2 does not
/// backtrack (Cox, "Regular Expression Matching Can Be Simple And Fast", 2007). Memory and size are
/// limited, and a pattern beyond the limits is not compiled.
public struct Pattern: Sendable, Hashable {
  /// As it was typed, without the slashes around it.
  public let source: String
  private let compiled: Compiled

  /// Why a pattern cannot be used.
  public struct Problem: Error, Sendable, Hashable {
    /// What is wrong with it; worded only where people read it.
    public enum Kind: String, Sendable, CaseIterable {
      /// Nothing between the slashes.
      case empty
      /// `\q`, or a backslash at the end. RE2 has no back references (`\1`) either.
      case escape
      /// `[z-a]`, `[[:nothing:]]`.
      case range
      /// `[` without `]`.
      case bracket
      /// `(` without `)`, or the other way round.
      case parenthesis
      /// `*` behind nothing, `a**`, `a{2000}`.
      case repetition
      /// `(?…)` that RE2 does not have: look-ahead and look-behind are such.
      case group
      /// Bytes that are no UTF-8.
      case encoding
      /// More than 1,000 bytes, or too much memory.
      case tooLarge
      /// Another mistake, in RE2's words.
      case other
    }
    public var kind: Kind
    /// Where in the source, in characters from 0; nil: RE2 does not say it.
    public var position: Int?
    /// - Parameter position: in characters of the source, from 0; nil: not known.
    public init(_ kind: Kind, at position: Int? = nil) {
      self.kind = kind
      self.position = position
    }
  }

  /// Bytes of UTF-8 of a source.
  public static let longest = 1_000
  /// Bytes that a pattern and its automata take at most.
  private static let memory: Int64 = 1 << 20
  /// Instructions. Where an automaton would take too much memory RE2 goes through the text with
  /// all instructions at once: their number is what a byte of text costs then.
  private static let mostInstructions: Int32 = 3_000

  /// - Throws: what is wrong with the source, and where.
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

  /// Whether it matches anywhere in the text.
  public func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        weir_re2_matches(compiled.handle, $0.baseAddress, $0.count) != 0
      }
    }
  }

  /// The same, of bytes of UTF-8.
  public func matches(_ text: [UInt8]) -> Bool {
    text.withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        weir_re2_matches(compiled.handle, $0.baseAddress, $0.count) != 0
      }
    }
  }

  /// The places where it matches, in bytes of the UTF-8; they do not overlap. A match of no bytes
  /// is left out.
  public func ranges(in text: String, atMost most: Int = .max) -> [Range<Int>] {
    var text = text
    return text.withUTF8 { ranges(in: $0, atMost: most) }
  }

  /// The same, of bytes of UTF-8.
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
          // After the character at which nothing was matched.
          start = to + 1
          while start < characters.count, UInt8(bitPattern: characters[start]) & 0xC0 == 0x80 {
            start += 1
          }
        }
      }
      return ranges
    }
  }

  /// By source: equal sources match the same texts.
  public static func == (a: Pattern, b: Pattern) -> Bool { a.source == b.source }
  /// By source, as `==`.
  public func hash(into hasher: inout Hasher) { hasher.combine(source) }
}

extension Pattern {
  /// The source of a pattern that finds words side by side, and no parts of words.
  /// - Parameter isPrefix: the last word may go on.
  public static func source(ofWords text: String, isPrefix: Bool) -> String {
    func isWord(_ character: Character?) -> Bool {
      character.map { $0.isASCII && ($0.isLetter || $0.isNumber) } ?? false
    }
    let words = text.split(whereSeparator: \.isWhitespace).map { word in
      word.map { "\\.+*?()|[]{}^$".contains($0) ? "\\\($0)" : String($0) }.joined()
    }.joined(separator: "\\s+")
    // RE2 knows the bounds of ASCII words only.
    return (isWord(text.first) ? "\\b" : "") + words
      + (!isPrefix && isWord(text.last) ? "\\b" : "")
  }

  /// What is between the slashes of a text that is one pattern: `/deals?/`; nil: it is not one.
  public static func source(of text: String) -> String? {
    guard text.utf8.count > 2, text.hasPrefix("/"), text.hasSuffix("/") else { return nil }
    return String(text.dropFirst().dropLast()).replacing("\\/", with: "/")
  }
}

/// Owns RE2's object, which any number of threads may match with at once (re2.h).
private final class Compiled: @unchecked Sendable {
  let handle: OpaquePointer
  init(_ handle: OpaquePointer) { self.handle = handle }
  deinit { weir_re2_free(handle) }
}
