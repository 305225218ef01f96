import Foundation

/// A newsboat of its own: its list of feeds, its settings, its cache.
public struct Newsboat: Sendable {
  /// Where Debian installs it.
  public static let program = "/usr/bin/newsboat"

  /// Holds `urls`, `config` and `cache.db`.
  public let folder: String
  /// The path of its database.
  public var cache: String { folder + "/cache.db" }
  /// What makes the program use them.
  public var arguments: [String] {
    ["-u", folder + "/urls", "-c", cache, "-C", folder + "/config"]
  }

  /// Makes the folder and writes the files.
  /// - Parameter threads: how many feeds newsboat fetches at once (`reload-threads`).
  public init(_ folder: String, _ urls: [String], threads: Int) throws {
    self.folder = folder
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try urls.joined(separator: "\n")
      .write(toFile: folder + "/urls", atomically: true, encoding: .utf8)
    try "reload-threads \(threads)\n"
      .write(toFile: folder + "/config", atomically: true, encoding: .utf8)
  }
}
