internal import CLibXML2

// libxml2's records in Swift's terms. Pointers in here are valid while libxml2 calls back, no longer.

/// libxml2 as a whole.
enum LibXML2 {
  /// Its tables are set up once, by whichever thread comes first.
  static func prepare() { _ = isReady }
  private static let isReady: Void = xmlInitParser()
}

/// The document on its way into the parser; alive while `xmlCtxtReadIO` runs, which is when it is
/// read.
struct ByteSource {
  var rest: Slice<UnsafeBufferPointer<UInt8>>

  static let read: xmlInputReadCallback = { context, buffer, capacity in
    guard let context, let buffer, capacity > 0 else { return -1 }
    let source = context.assumingMemoryBound(to: ByteSource.self)
    let piece = source.pointee.rest.prefix(Int(capacity))
    _ = UnsafeMutableRawBufferPointer(start: buffer, count: Int(capacity))
      .initializeMemory(as: UInt8.self, fromContentsOf: piece)
    source.pointee.rest = source.pointee.rest.dropFirst(piece.count)
    return Int32(piece.count)
  }
}

/// A qualified name as libxml2 hands it over; valid during the callback, unique in its document.
struct RawName {
  var local: UnsafePointer<xmlChar>
  var prefix: UnsafePointer<xmlChar>?
  var uri: UnsafePointer<xmlChar>?
}

/// The five-pointer records of libxml2's `startElementNs`: local name, prefix, address, value, end.
struct RawAttributes {
  var base: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
  var count: Int

  init(base: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, count: Int) {
    self.base = base
    self.count = base == nil ? 0 : count
  }

  func name(_ index: Int) -> RawName? {
    guard let base, let local = base[index * 5] else { return nil }
    return RawName(local: local, prefix: base[index * 5 + 1], uri: base[index * 5 + 2])
  }

  func value(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    guard let base, let start = base[index * 5 + 3], let end = base[index * 5 + 4] else {
      return UnsafeBufferPointer(start: nil, count: 0)
    }
    return UnsafeBufferPointer(start: start, count: end - start)
  }
}

extension UnsafePointer<UInt8> {
  /// The bytes of a C string, up to the terminating zero.
  var bytes: UnsafeBufferPointer<UInt8> {
    var end = self
    while end.pointee != 0 { end += 1 }
    return UnsafeBufferPointer(start: self, count: end - self)
  }
}
