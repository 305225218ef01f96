import Foundation

/// The file of a cache that is filled once, and copied for each test: much less work than making
/// its tables and rows again.
public struct CopiedCache: Sendable {
  private static let name = "/weir.db"
  private let bytes: Data

  /// - Parameter fill: opens a cache in the folder, fills it and closes it.
  public init(fill: (String) throws -> Void) throws {
    let folder = NSTemporaryDirectory() + "weir-file-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try fill(folder)
    try self.init(closed: folder)
  }

  /// - Parameter folder: the folder of a closed cache.
  public init(closed folder: String) throws {
    bytes = try Data(contentsOf: URL(filePath: folder + Self.name))
  }

  /// Makes a folder with a copy of the file.
  public func copy(to folder: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try bytes.write(to: URL(filePath: folder + Self.name))
  }
}
