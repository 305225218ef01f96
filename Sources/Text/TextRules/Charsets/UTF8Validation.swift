/// Validates UTF-8 (RFC 3629: without surrogates and overlong forms), sixteen bytes at a time.
enum UTF8Validation {
  private typealias Block = SIMD16<UInt8>

  /// Returns the first invalid byte, from a character at `start`.
  static func firstFault(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var index = start
    while true {
      index = endOfASCII(in: bytes, from: index)
      guard index < bytes.count else { return nil }
      // Three bytes must precede the block.
      for _ in 0..<3 where index < bytes.count {
        let length = sequenceLength(bytes, index)
        if length == 0 { return index }
        index += length
      }
      // Validates by blocks, as non-ASCII letters are seldom alone.
      index = endOfValidBlocks(in: bytes, from: index)
      while index < bytes.count, bytes[index] >= 0x80 {
        let length = sequenceLength(bytes, index)
        if length == 0 { return index }
        index += length
      }
    }
  }

  static func endOfASCII(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    let raw = UnsafeRawBufferPointer(bytes)
    var index = start
    while index + 32 <= bytes.count {
      let block = load(raw, index) | load(raw, index + 16)
      guard isZero(block & Block(repeating: 0x80)) else { break }
      index += 32
    }
    while index + 8 <= bytes.count,
      raw.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
    {
      index += 8
    }
    while index < bytes.count, bytes[index] < 0x80 { index += 1 }
    return index
  }

  /// Validates whole blocks while they contain non-ASCII characters.
  /// - Parameter start: the start of a character, after at least three bytes.
  /// - Returns: the start of a character, before which all bytes are valid.
  private static func endOfValidBlocks(
    in bytes: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Int {
    let raw = UnsafeRawBufferPointer(bytes)
    var index = start
    while index + 16 <= bytes.count {
      let block = load(raw, index)
      let before = load(raw, index - 1)
      if isZero((block | before) & Block(repeating: 0x80)) { break }
      let faults = faults(block, before, load(raw, index - 2), load(raw, index - 3))
      guard isZero(faults) else { break }
      index += 16
    }
    // Returns to the start of a character that crosses the last block.
    guard index > start else { return start }
    for length in 1...3 {
      let byte = bytes[index - length]
      if byte >= 0xC0 { return index - length }
      if byte < 0x80 { break }
    }
    return index
  }

  /// Returns nonzero where a byte cannot follow the three before it.
  @inline(__always)
  private static func faults(
    _ byte: Block, _ first: Block, _ second: Block, _ third: Block
  ) -> Block {
    func all(_ value: UInt8) -> Block { Block(repeating: value) }
    func marks(_ mask: SIMDMask<SIMD16<Int8>>) -> Block { unsafeBitCast(mask, to: Block.self) }
    let continues = marks(byte .>= all(0x80)) & marks(byte .< all(0xC0))
    let mustContinue =
      marks(first .>= all(0xC0)) | marks(second .>= all(0xE0)) | marks(third .>= all(0xF0))
    let isNone = marks(byte .>= all(0xF5)) | (marks(byte .>= all(0xC0)) & marks(byte .< all(0xC2)))
    // Detects overlong forms, surrogates, and scalars beyond U+10FFFF.
    let isOutside =
      (marks(first .== all(0xE0)) & marks(byte .< all(0xA0)))
      | (marks(first .== all(0xED)) & marks(byte .>= all(0xA0)))
      | (marks(first .== all(0xF0)) & marks(byte .< all(0x90)))
      | (marks(first .== all(0xF4)) & marks(byte .>= all(0x90)))
    return (continues ^ mustContinue) | isNone | isOutside
  }

  @inline(__always)
  private static func load(_ raw: UnsafeRawBufferPointer, _ index: Int) -> Block {
    raw.loadUnaligned(fromByteOffset: index, as: Block.self)
  }

  @inline(__always)
  private static func isZero(_ block: Block) -> Bool {
    let halves = unsafeBitCast(block, to: SIMD2<UInt64>.self)
    return halves.x | halves.y == 0
  }

  /// Returns the length of the character at `index` in bytes, or 0.
  @inline(__always)
  static func sequenceLength(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
    let first = bytes[index]
    if first < 0x80 { return 1 }
    guard first >= 0xC2, first <= 0xF4, index + 1 < bytes.count else { return 0 }
    let second = bytes[index + 1]
    guard second & 0xC0 == 0x80 else { return 0 }
    if first < 0xE0 { return 2 }
    guard index + 2 < bytes.count, bytes[index + 2] & 0xC0 == 0x80 else { return 0 }
    if first < 0xF0 {
      return first == 0xE0 && second < 0xA0 || first == 0xED && second > 0x9F ? 0 : 3
    }
    guard index + 3 < bytes.count, bytes[index + 3] & 0xC0 == 0x80 else { return 0 }
    return first == 0xF0 && second < 0x90 || first == 0xF4 && second > 0x8F ? 0 : 4
  }
}
