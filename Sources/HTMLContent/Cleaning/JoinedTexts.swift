/// Short texts one after another in one array: writing one of them counts no references, as it
/// would with an array for each.
struct JoinedTexts: Sendable {
  private let bytes: [UInt8]
  /// Where each text begins, and the end of the last.
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
