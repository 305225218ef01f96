import Foundation

/// Encodes keys in a column: ascending, as differences in LEB128, with one or two bytes for each if
/// they are dense.
enum IDList {
  static func data(_ ids: [Int64]) -> Data {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(ids.count * 2)
    var last: Int64 = 0
    for id in ids.sorted() where id > last {
      var difference = UInt64(id - last)
      while difference >= 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: difference) | 0x80)
        difference >>= 7
      }
      bytes.append(UInt8(difference))
      last = id
    }
    return Data(bytes)
  }

  /// Decodes keys until the first invalid byte.
  static func ids(_ data: Data) -> [Int64] {
    var ids: [Int64] = []
    var last: Int64 = 0
    var difference: UInt64 = 0
    var shift: UInt64 = 0
    for byte in data {
      guard shift < 63 else { return ids }
      difference |= UInt64(byte & 0x7F) << shift
      shift += 7
      guard byte & 0x80 == 0 else { continue }
      let (sum, overflows) = last.addingReportingOverflow(Int64(clamping: difference))
      guard !overflows else { return ids }
      ids.append(sum)
      last = sum
      difference = 0
      shift = 0
    }
    return ids
  }
}
