import Foundation

/// Describes errors of the system.
package enum SystemError {
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

  /// - Parameter path: the path of the file, to name a missing folder.
  package static func words(_ code: Int32, at path: String = "") -> String {
    let folder = (path as NSString).deletingLastPathComponent
    return switch code {
    case ENOENT where !folder.isEmpty && access(folder, F_OK) != 0: "there is no folder \(folder)"
    case ENOENT: "there is no such file or folder"
    case EACCES, EPERM: "permission denied"
    case EISDIR: "it is a directory"
    case ENOTDIR: "part of the path isn\u{2019}t a directory"
    case EROFS: "the file system is read-only"
    case ENOSPC: "the disk is full"
    case EFBIG: "the file would become too large"
    default: String(cString: strerror(code))
    }
  }
}
