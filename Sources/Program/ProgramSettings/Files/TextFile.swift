import Foundation

package enum TextFile {
  private static let largest = 256 << 20
  package static let largestAtRest = 1 << 20
  /// Milliseconds in which a program must begin to write to a pipe.
  private static let pipeTimeout: Int32 = 2_000

  package static func name(_ path: String) -> String { path == "-" ? "The input" : path }

  package static func read(_ path: String) throws(CommandFailure) -> [UInt8] {
    if path == "-" { return try drain(STDIN_FILENO, name: name(path), largest: largest) }
    return try read(path, name: path, largest: largest) { descriptor throws(CommandFailure) in
      var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&input, 1, pipeTimeout) > 0 else {
        throw CommandFailure("\(path) cannot be read: nothing writes to this pipe.")
      }
      _ = fcntl(descriptor, F_SETFL, 0)
    }
  }

  /// Reads a file such as the configuration without waiting. Rejects pipes.
  /// - Parameters:
  ///   - name: the name of the file in messages.
  ///   - largest: the most bytes that are read.
  package static func readAtRest(
    _ path: String, name: String, largest: Int = largestAtRest
  ) throws(CommandFailure) -> [UInt8] {
    try read(path, name: name, largest: largest) { _ throws(CommandFailure) in
      throw CommandFailure("\(name) cannot be read: it is a pipe.")
    }
  }

  private static func read(
    _ path: String, name: String, largest: Int, wait: (Int32) throws(CommandFailure) -> Void
  ) throws(CommandFailure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw CommandFailure("\(name) cannot be read: \(SystemError.words(errno, at: path)).")
    }
    defer { close(descriptor) }
    var status = stat()
    let kind = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : S_IFREG
    if kind == S_IFIFO { try wait(descriptor) }
    // A device such as /dev/zero may have no end.
    let most = kind == S_IFCHR ? largestAtRest : largest
    return try drain(descriptor, name: name, largest: most)
  }

  private static func drain(
    _ descriptor: Int32, name: String, largest: Int
  ) throws(CommandFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_size > 0 {
      bytes.reserveCapacity(min(Int(status.st_size), largest))
    }
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = buffer.withUnsafeMutableBytes {
        Foundation.read(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw CommandFailure("\(name) cannot be read: \(SystemError.words(errno)).")
      }
      if count == 0 { return bytes }
      bytes.append(contentsOf: buffer[..<count])
      guard bytes.count <= largest else {
        throw CommandFailure("\(name) is too large: more than \(largest >> 20) MB.")
      }
    }
  }

  /// Replaces a file atomically. Only its owner can read a new file, as it may hold passwords.
  /// - Parameters:
  ///   - isSecret: true if only the owner may read the file; the target of a link keeps its mode.
  ///   - followsLinks: `false` for typed names, at which somebody else may have put a link.
  package static func replace(
    _ path: String, with bytes: [UInt8], isSecret: Bool = false, followsLinks: Bool = true
  ) throws(CommandFailure) {
    var link = stat()
    let isLink = lstat(path, &link) == 0 && link.st_mode & S_IFMT == S_IFLNK
    if isLink, !followsLinks {
      throw CommandFailure("\(path) is a link. Name the file that it leads to, or another file.")
    }
    // A link stays, and its target is replaced. A device or pipe is written to directly.
    let target = realPath(path) ?? path
    var status = stat()
    let exists = stat(target, &status) == 0
    if exists, status.st_mode & S_IFMT != S_IFREG {
      let descriptor = open(target, O_WRONLY | O_CLOEXEC)
      defer { if descriptor >= 0 { close(descriptor) } }
      guard let code = descriptor < 0 ? errno : FileOutput.write(descriptor, bytes) else { return }
      throw CommandFailure("\(path) cannot be written: \(SystemError.words(code, at: path)).")
    }
    let temporary = "\(target).weir-\(getpid())"
    unlink(temporary)
    let mode = exists && (!isSecret || isLink) ? status.st_mode & 0o777 : 0o600
    if let code = FileOutput.write(
      bytes, to: target, through: temporary, mode: UInt32(mode), syncs: true)
    {
      throw CommandFailure("\(path) cannot be written: \(SystemError.words(code, at: path)).")
    }
  }

  /// Creates the missing folder of a file, accessible to its owner only.
  package static func makeFolder(of path: String) {
    try? FileManager.default.createDirectory(
      atPath: FilePath.folder(of: path), withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
  }

  private static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
