import Foundation

/// Another program that fetches feeds, for comparison with Weir.
public enum OtherReader: Hashable, Sendable {
  case newsboat(threads: Int)
  /// `sfeed_update`, which sends no conditional requests and stores files.
  case sfeed
  /// newsraft with its own limits of connections: 500 in all, and no limit per host.
  case newsraft(program: String)
  /// curl, which stores nothing and measures the transfers alone.
  case curl(connections: Int)

  /// newsraft at the path in the variable `NEWSRAFT`; Debian has no package of it.
  public static var newsraft: OtherReader? {
    ProcessInfo.processInfo.environment["NEWSRAFT"].map { .newsraft(program: $0) }
  }

  /// The name in tables.
  public var name: String {
    switch self {
    case .newsboat(1): "newsboat, 1 thread"
    case .newsboat(let threads): "newsboat, \(threads) threads"
    case .sfeed: "sfeed_update"
    case .newsraft: "newsraft"
    case .curl(let connections): "curl --parallel-max \(connections)"
    }
  }

  /// The path of the program; Debian's path, except for newsraft.
  public var program: String {
    switch self {
    case .newsboat: Newsboat.program
    case .sfeed: "/usr/bin/sfeed_update"
    case .newsraft(let program): program
    case .curl: "/usr/bin/curl"
    }
  }

  /// True if the program is installed.
  public var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

  /// Writes the reader's list of feeds and its settings.
  /// - Parameters:
  ///   - home: A separate folder, made if it is missing; files of an earlier sync stay.
  ///   - entityTags: The tag of each feed for curl, which stores none; `nil` for full requests.
  /// - Returns: The command that synchronises once.
  public func prepare(
    _ home: String, _ urls: [String], entityTags: [String]? = nil
  ) throws -> [String] {
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    func write(_ text: String, _ name: String) throws {
      try text.write(toFile: home + "/" + name, atomically: true, encoding: .utf8)
    }
    switch self {
    case .newsboat(let threads):
      let newsboat = try Newsboat(home, urls, threads: threads)
      return [program] + newsboat.arguments + ["-x", "reload"]
    case .sfeed:
      let feeds = urls.enumerated().map { "  feed \"\($0)\" \"\($1)\"" }.joined(separator: "\n")
      try write("sfeedpath=\"\(home)/feeds\"\nfeeds() {\n\(feeds)\n}\n", "sfeedrc")
      return [program, home + "/sfeedrc"]
    case .newsraft:
      try write(urls.enumerated().map { "\($1) \"\($0)\"" }.joined(separator: "\n") + "\n", "feeds")
      try write("download-max-connections 500\ndownload-max-host-connections 0\n", "config")
      return [
        program, "-f", home + "/feeds", "-c", home + "/config", "-d", home + "/cache.db",
        "-e", "reload-all",
      ]
    case .curl(let connections):
      let entries = urls.enumerated().map { feed, url in
        let tag = entityTags?[feed].replacing("\"", with: "\\\"")
        return "url=\"\(url)\"\noutput=/dev/null\ncompressed\nwrite-out=\"%{http_code}\\n\"\n"
          + (tag.map { "header=\"If-None-Match: \($0)\"\n" } ?? "")
      }
      try write(entries.joined(separator: "next\n"), "curl.cfg")
      return [
        program, "-s", "--parallel", "--parallel-immediate", "--parallel-max", "\(connections)",
        "-K", home + "/curl.cfg",
      ]
    }
  }
}
