import Foundation

/// Another program that fetches feeds, measured beside Weir.
public enum OtherReader: Hashable, Sendable {
  case newsboat(threads: Int)
  /// `sfeed_update`: asks nothing conditionally, and keeps files.
  case sfeed
  /// With its own limits of connections: 500 in all, and none for a host.
  case newsraft(program: String)
  /// Keeps nothing: what the transfers alone take.
  case curl(connections: Int)

  /// The newsraft that the environment names in `NEWSRAFT`; Debian has none.
  public static var newsraft: OtherReader? {
    ProcessInfo.processInfo.environment["NEWSRAFT"].map { .newsraft(program: $0) }
  }

  /// As it is in tables.
  public var name: String {
    switch self {
    case .newsboat(1): "newsboat, 1 thread"
    case .newsboat(let threads): "newsboat, \(threads) threads"
    case .sfeed: "sfeed_update"
    case .newsraft: "newsraft"
    case .curl(let connections): "curl --parallel-max \(connections)"
    }
  }

  /// The path of its program; Debian's for those that it has.
  public var program: String {
    switch self {
    case .newsboat: Newsboat.program
    case .sfeed: "/usr/bin/sfeed_update"
    case .newsraft(let program): program
    case .curl: "/usr/bin/curl"
    }
  }

  /// Whether its program is there.
  public var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

  /// Writes its list of feeds and its settings.
  /// - Parameters:
  ///   - home: a folder of its own, made if it is missing; what is there from an earlier sync
  ///     stays.
  ///   - entityTags: of each feed, what curl asks with, as it keeps nothing; nil: it asks for all.
  /// - Returns: the command that synchronises once.
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
      try write(
        urls.enumerated().map { "\($1) \"\($0)\"" }.joined(separator: "\n") + "\n", "feeds")
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
