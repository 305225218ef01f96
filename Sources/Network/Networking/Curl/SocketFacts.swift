import Foundation

/// Queries the kernel's data on a connection.
enum SocketFacts {
  /// Returns TCP's recent and least round-trip time in seconds, from Linux's TCP_INFO. The C
  /// library lacks the header, so the two fields are read by offset.
  static func roundTrip(_ descriptor: Int32) -> (seconds: Double, least: Double)? {
    #if os(Linux)
      guard descriptor >= 0 else { return nil }
      let (trip, least, size) = (68, 148, 152)
      return withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { buffer in
        var length = socklen_t(size)
        guard
          getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, buffer.baseAddress, &length) == 0,
          Int(length) >= size
        else { return nil }
        let microseconds = { Double(buffer.load(fromByteOffset: $0, as: UInt32.self)) }
        guard microseconds(trip) > 0, microseconds(least) < Double(UInt32.max) else { return nil }
        return (microseconds(trip) / 1e6, microseconds(least) / 1e6)
      }
    #else
      return nil
    #endif
  }

  static func setReceiveBuffer(_ descriptor: Int32, _ bytes: Int) {
    var value = Int32(clamping: bytes)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVBUF, &value, socklen_t(MemoryLayout<Int32>.size))
  }
}
