import Foundation

/// Writes bytes to files and other descriptors.
package enum FileOutput {
  /// Writes all bytes to a descriptor.
  /// - Returns: the error number; `nil` on success.
  package static func write(_ descriptor: Int32, _ bytes: [UInt8]) -> Int32? {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR, errno != EAGAIN { return errno }
      rest = rest.dropFirst(max(0, count))
    }
    return nil
  }

  /// Writes a file, complete under its name or not at all.
  /// - Parameters:
  ///   - temporary: the name until then, which no file may have.
  ///   - syncs: true if the file must also survive a power cut.
  /// - Returns: the error number; `nil` on success.
  package static func write(
    _ bytes: [UInt8], to path: String, through temporary: String, mode: UInt32 = 0o600, syncs: Bool
  ) -> Int32? {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let descriptor = open(temporary, flags, mode_t(mode))
    guard descriptor >= 0 else { return errno }
    var failure = write(descriptor, bytes)
    // Some file systems cannot sync.
    if failure == nil, syncs, fsync(descriptor) != 0, ![EINVAL, EROFS, ENOTSUP].contains(errno) {
      failure = errno
    }
    if close(descriptor) != 0, failure == nil { failure = errno }
    if failure == nil, rename(temporary, path) != 0 { failure = errno }
    if failure != nil { unlink(temporary) }
    return failure
  }
}
