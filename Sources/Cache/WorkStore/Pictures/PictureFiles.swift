// This folder holds the store of pictures: rows in the cache, files beside it.

import Foundation

/// The files of pictures, in `pictures` beside the database. A file is named by its row and its
/// content; a name never comes from a feed. A file whose hash differs from its name is damaged and
/// is not shown.
struct PictureFiles {
  let directory: String

  init(beside database: String) { directory = FilePath.folder(of: database) + "/pictures" }

  private static let seed: UInt64 = 0

  static func hash(_ bytes: [UInt8]) -> UInt64 {
    bytes.withUnsafeBytes { XXH64.hash($0, seed: seed) }
  }

  func path(id: Int64, hash: UInt64) -> String {
    let name = String(hash, radix: 16)
    return "\(directory)/\(id % 100)/\(id)-\(String(repeating: "0", count: 16 - name.count))\(name)"
  }

  /// Writes a file for the user alone, atomically.
  func write(_ bytes: [UInt8], id: Int64, hash: UInt64) throws(StoreError) {
    let path = path(id: id, hash: hash)
    try StoreFiles.makeDirectory(FilePath.folder(of: path))
    let partial = path + ".part"
    unlink(partial)
    if let failure = FileOutput.write(bytes, to: path, through: partial, syncs: false) {
      throw StoreFiles.error(failure, path)
    }
  }

  /// Returns the bytes of a picture; `nil` if its file is missing, unreadable or damaged.
  func read(_ picture: StoredPicture) -> [UInt8]? {
    let path = path(id: picture.id, hash: picture.hash)
    guard let data = FileManager.default.contents(atPath: path), data.count == picture.length else {
      return nil
    }
    let bytes = [UInt8](data)
    return Self.hash(bytes) == picture.hash ? bytes : nil
  }

  func remove(id: Int64, hash: UInt64) { unlink(path(id: id, hash: hash)) }

  /// Lists all files, including those of removed rows and incomplete ones.
  func all() -> [(path: String, name: String)] {
    let files = FileManager.default
    let folders = (try? files.contentsOfDirectory(atPath: directory)) ?? []
    return folders.sorted().flatMap { folder in
      let names = (try? files.contentsOfDirectory(atPath: "\(directory)/\(folder)")) ?? []
      return names.sorted().map { ("\(directory)/\(folder)/\($0)", $0) }
    }
  }
}
