import CRE2

/// Patterns that are searched for together: one pass over a text finds those that match.
public struct PatternSet: Sendable {
  private let compiled: CompiledSet

  /// Bytes that the patterns and their automaton take at most.
  private static let memory: Int64 = 16 << 20

  /// Nil if there is none, or they are too large together.
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

  /// The positions of the patterns that match anywhere in the text, in no order; nil if the
  /// memory does not suffice: then each pattern has to be matched by itself.
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

/// Owns RE2's object, which any number of threads may match with at once (re2/set.h).
private final class CompiledSet: @unchecked Sendable {
  let handle: OpaquePointer
  init(_ handle: OpaquePointer) { self.handle = handle }
  deinit { weir_re2_set_free(handle) }
}
