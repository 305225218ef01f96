extension UnsafeRawBufferPointer {
  /// The line without white space at both ends (RFC 9110, §5.5), line ends included.
  var trimmed: UnsafeRawBufferPointer {
    func isSpace(_ byte: UInt8) -> Bool {
      byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A
    }
    var rest = self[...]
    while let first = rest.first, isSpace(first) { rest.removeFirst() }
    while let last = rest.last, isSpace(last) { rest.removeLast() }
    return UnsafeRawBufferPointer(rebasing: rest)
  }
}
