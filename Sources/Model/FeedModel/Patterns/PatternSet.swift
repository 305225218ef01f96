import CRE2

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
