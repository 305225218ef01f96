import Foundation

/// A separate newsboat with a list of feeds, settings and a cache.
public struct Newsboat: Sendable {
  /// The path where Debian installs it.
  public static let program = "/usr/bin/newsboat"

  /// The folder with `urls`, `config` and `cache.db`.
  public let folder: String
  /// The path of its database.
  public var cache: String { folder + "/cache.db" }
  /// The arguments that make newsboat use these files.
  public var arguments: [String] {
    ["-u", folder + "/urls", "-c", cache, "-C", folder + "/config"]
  }

  /// Makes the folder and writes the files.
  /// - Parameter threads: The number of feeds that newsboat fetches at once (`reload-threads`).
  public init(_ folder: String, _ urls: [String], threads: Int) throws {
    self.folder = folder
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try urls.joined(separator: "\n")
      .write(toFile: folder + "/urls", atomically: true, encoding: .utf8)
    try "reload-threads \(threads)\n"
      .write(toFile: folder + "/config", atomically: true, encoding: .utf8)
  }
}
