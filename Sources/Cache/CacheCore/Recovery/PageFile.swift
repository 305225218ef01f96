import Foundation

// The code in this folder reads a database without SQLite, which cannot open a file with a damaged
// header nor read below a damaged page. The format is described at sqlite.org/fileformat2.html;
// section numbers in comments refer to that document.

/// The bytes of a file, read on demand because a database may be larger than the memory.
final class FileBytes {
  private let descriptor: CInt
  let count: Int

  /// Fails unless the path leads to a readable regular file. Does not wait for a pipe's writer.
  init?(path: String) {
    descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG
    else {
      if descriptor >= 0 { close(descriptor) }
      return nil
    }
    count = Int(status.st_size)
  }

  deinit { close(descriptor) }

  /// Returns `length` bytes; zeros replace those that the file does not have.
  func read(at offset: Int, length: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: length)
    var done = 0
    bytes.withUnsafeMutableBytes { buffer in
      while done < length {
        let result = pread(
          descriptor, buffer.baseAddress?.advanced(by: done), length - done, off_t(offset + done))
        if result < 0, errno == EINTR { continue }
        guard result > 0 else { return }
        done += result
      }
    }
    return bytes
  }
}

extension [UInt8] {
  /// Returns the big-endian number of two or four bytes at an offset; 0 beyond the end.
  func number(at offset: Int, bytes length: Int) -> Int {
    guard offset >= 0, offset + length <= count else { return 0 }
    return (offset..<offset + length).reduce(0) { $0 << 8 | Int(self[$1]) }
  }
}

/// The pages of a database in its file and its write-ahead log.
struct PageFile {
  let pageSize: Int
  let count: Int
  private let file: FileBytes
  private let log: FileBytes?
  /// Offset in the log of the newest committed version of each page.
  private let logged: [Int: Int]

  init?(path: String) {
    guard let file = FileBytes(path: path) else { return nil }
    let log = FileBytes(path: path + "-wal")
    let frames = log.flatMap(LogFrames.init)
    self.file = file
    self.log = log
    guard let size = frames?.pageSize ?? Self.findPageSize(file) else { return nil }
    pageSize = size
    logged = frames?.places ?? [:]
    count = max((file.count + size - 1) / size, logged.keys.max() ?? 0)
  }

  /// - Parameter number: the number of a page, counted from 1.
  func page(_ number: Int) -> [UInt8] {
    if let log, let place = logged[number] { return log.read(at: place, length: pageSize) }
    return file.read(at: (number - 1) * pageSize, length: pageSize)
  }

  /// Finds the size at which most bytes are tree pages (1.3.2): the header may be damaged.
  private static func findPageSize(_ file: FileBytes) -> Int? {
    var best: (size: Int, score: Int)?
    for size in [16_384, 4_096, 65_536, 32_768, 8_192, 2_048, 1_024, 512] {
      let pages = (file.count + size - 1) / size
      let step = max(1, pages / 256)
      var matches = 0
      for number in stride(from: 1, through: pages, by: step) {
        let bytes = file.read(at: (number - 1) * size, length: size)
        guard let page = TreePage(bytes, number: number), let last = page.cells.max() else {
          continue
        }
        // Cells fill a page from its end.
        if last >= size / 2 { matches += 1 }
      }
      let score = matches * step * size
      if score > (best?.score ?? 0) { best = (size, score) }
    }
    return best?.size
  }
}

/// The committed frames of a write-ahead log (4.1).
private struct LogFrames {
  let pageSize: Int
  private(set) var places: [Int: Int] = [:]

  /// Fails if the log has no complete transaction.
  init?(_ log: FileBytes) {
    let header = log.read(at: 0, length: 32)
    let magic = header.number(at: 0, bytes: 4)
    pageSize = header.number(at: 8, bytes: 4)
    guard magic | 1 == 0x377f_0683, 512...65_536 ~= pageSize, pageSize.nonzeroBitCount == 1
    else { return nil }
    let isBigEndian = magic & 1 == 1
    var sum: (UInt32, UInt32) = (0, 0)
    Self.add(header[..<24], to: &sum, isBigEndian)
    guard Self.matches(sum, header, at: 24) else { return nil }
    var pending: [Int: Int] = [:]
    var offset = 32
    while offset + 24 + pageSize <= log.count {
      let frame = log.read(at: offset, length: 24 + pageSize)
      guard frame[8..<16] == header[16..<24] else { break }
      Self.add(frame[..<8], to: &sum, isBigEndian)
      Self.add(frame[24...], to: &sum, isBigEndian)
      let page = frame.number(at: 0, bytes: 4)
      guard Self.matches(sum, frame, at: 16), page > 0 else { break }
      pending[page] = offset + 24
      if frame.number(at: 4, bytes: 4) > 0 {
        places.merge(pending) { $1 }
        pending = [:]
      }
      offset += 24 + pageSize
    }
    if places.isEmpty { return nil }
  }

  /// Adds to the cumulative checksum (4.2).
  private static func add(
    _ bytes: ArraySlice<UInt8>, to sum: inout (UInt32, UInt32), _ isBigEndian: Bool
  ) {
    bytes.withUnsafeBytes { buffer in
      for offset in stride(from: 0, to: buffer.count - 7, by: 8) {
        let first = buffer.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        let second = buffer.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
        sum.0 &+= (isBigEndian ? first.bigEndian : first.littleEndian) &+ sum.1
        sum.1 &+= (isBigEndian ? second.bigEndian : second.littleEndian) &+ sum.0
      }
    }
  }

  private static func matches(_ sum: (UInt32, UInt32), _ bytes: [UInt8], at offset: Int) -> Bool {
    Int(sum.0) == bytes.number(at: offset, bytes: 4)
      && Int(sum.1) == bytes.number(at: offset + 4, bytes: 4)
  }
}
