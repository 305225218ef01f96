/// Short texts stored in one array, which avoids reference counting for each.
struct JoinedTexts: Sendable {
  private let bytes: [UInt8]
  /// The start of each text, and the end of the last.
  private let bounds: [Int]

  init(_ texts: [String]) {
    var (bytes, bounds) = ([UInt8](), [0])
    for text in texts {
      bytes.append(contentsOf: text.utf8)
      bounds.append(bytes.count)
    }
    (self.bytes, self.bounds) = (bytes, bounds)
  }

  @inline(__always)
  func append(_ index: Int, to out: inout [UInt8]) {
    let range = bounds[index]..<bounds[index + 1]
    bytes.withUnsafeBufferPointer {
      out.append(contentsOf: UnsafeBufferPointer(rebasing: $0[range]))
    }
  }
}
