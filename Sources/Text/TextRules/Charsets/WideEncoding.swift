/// UTF-16 and UTF-32, recognised by a mark or by the zeros in `<` (XML 1.0, Appendix F).
package enum WideEncoding {
  case utf16(littleEndian: Bool, skip: Int)
  case utf32(littleEndian: Bool, skip: Int)

  package static func detect(_ bytes: [UInt8]) -> WideEncoding? {
    let head = Array(bytes.prefix(8))
    func begins(_ pattern: UInt8...) -> Bool { head.starts(with: pattern) }
    if begins(0xFF, 0xFE, 0, 0) { return .utf32(littleEndian: true, skip: 4) }
    if begins(0, 0, 0xFE, 0xFF) { return .utf32(littleEndian: false, skip: 4) }
    if begins(0xFF, 0xFE) { return .utf16(littleEndian: true, skip: 2) }
    if begins(0xFE, 0xFF) { return .utf16(littleEndian: false, skip: 2) }
    for first in [UInt8(ascii: "<"), UInt8(ascii: "{"), 0x20, 0x0A, 0x0D] {
      if begins(first, 0, 0, 0) { return .utf32(littleEndian: true, skip: 0) }
      if begins(0, 0, 0, first) { return .utf32(littleEndian: false, skip: 0) }
      if begins(first, 0), head.count > 3, head[2] != 0, head[3] == 0 {
        return .utf16(littleEndian: true, skip: 0)
      }
      if begins(0, first, 0), head.count > 3, head[3] != 0 {
        return .utf16(littleEndian: false, skip: 0)
      }
    }
    return nil
  }

  func decode(_ bytes: [UInt8]) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count)
    func append(_ value: UInt32) {
      if value != 0xFEFF { UTF8Scalar.append(Unicode.Scalar(value)?.value ?? 0xFFFD, to: &out) }
    }
    switch self {
    case .utf32(let littleEndian, let skip):
      var index = skip
      while index + 4 <= bytes.count {
        var value: UInt32 = 0
        for place in 0..<4 {
          value = value << 8 | UInt32(bytes[index + (littleEndian ? 3 - place : place)])
        }
        append(value)
        index += 4
      }
    case .utf16(let littleEndian, let skip):
      func unit(_ index: Int) -> UInt32 {
        let (first, second) = (UInt32(bytes[index]), UInt32(bytes[index + 1]))
        return littleEndian ? second << 8 | first : first << 8 | second
      }
      var index = skip
      while index + 2 <= bytes.count {
        let value = unit(index)
        index += 2
        if value >= 0xD800, value < 0xDC00, index + 2 <= bytes.count {
          let low = unit(index)
          if low >= 0xDC00, low < 0xE000 {
            append(0x10000 + (value - 0xD800) << 10 + (low - 0xDC00))
            index += 2
            continue
          }
        }
        append(value)
      }
    }
    return out
  }
}
