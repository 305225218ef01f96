package import FeedModel
package import FeedParsing
import Foundation

/// The directory of newsboat: its list, cache of articles, and configuration with rules.
package struct NewsboatLibrary {
  private let folder: String
  private let home: String?
  private let mayBeOwn: Bool
  private let read: (String) throws -> [UInt8]

  /// Returns `nil` if the folder contains nothing of newsboat.
  /// - Parameter mayBeOwn: true to accept feeds from programs and files.
  package init?(
    _ folder: String, home: String?, mayBeOwn: Bool, read: @escaping (String) throws -> [UInt8]
  ) {
    self.folder = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    (self.home, self.mayBeOwn, self.read) = (home, mayBeOwn, read)
    guard urls != nil || cache != nil || config != nil else { return nil }
  }

  private func file(_ name: String) -> String? {
    let path = "\(folder)/\(name)"
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }

  package var urls: String? { file("urls") }
  private var config: String? { file("config") }

  /// The path of the cache, in the folder or in the XDG data directory.
  package var cache: String? {
    if let here = file("cache.db") { return here }
    guard folder.hasSuffix("/.config/newsboat") else { return nil }
    let home = String(folder.dropLast("/.config/newsboat".count))
    let data = home + "/.local/share/newsboat/cache.db"
    return FileManager.default.fileExists(atPath: data) ? data : nil
  }

  /// Returns feeds, folders and saved searches; `nil` without a list.
  package func list() throws -> OPML.Outline? {
    guard let urls else { return nil }
    let bytes = try read(urls)
    do throws(ParseError) {
      return try NewsboatURLs.parse(bytes, mayBeOwn: mayBeOwn)
    } catch {
      throw ForeignFileError.notNewsboats(path: urls, kind: "list", error)
    }
  }

  /// Returns rules, and settings as a proposal; `nil` without a configuration.
  /// - Parameter commands: all commands of the reader with their default keys.
  package func settings(commands: [(name: String, keys: [String])]) throws -> (
    rules: [RuleDraft], proposal: ConfigurationProposal
  )? {
    guard let config else { return nil }
    var left = Self.longest
    let bytes = try included(config, within: [], &left)
    do throws(ParseError) {
      return (
        NewsboatRules.parse(String(decoding: bytes, as: UTF8.self)).rules,
        NewsboatTranslation(try NewsboatConfig.parse(bytes), commands: commands).proposal
      )
    } catch {
      throw ForeignFileError.notNewsboats(path: config, kind: "configuration", error)
    }
  }

  private static let deepest = 8
  /// The limit of all files together, in bytes.
  private static let longest = 4 << 20

  /// Returns the file with included files inserted; an include that cannot be read stays as a line.
  /// - Parameters:
  ///   - outer: the including files, the outermost first.
  ///   - left: the bytes that may still be read.
  private func included(
    _ path: String, within outer: [String], _ left: inout Int
  ) throws -> [UInt8] {
    let path = URL(filePath: path).resolvingSymlinksInPath().path
    // A file that includes itself would be inserted many times.
    guard !outer.contains(path) else { throw CocoaError(.fileReadUnknown) }
    let bytes = try read(path)
    left -= bytes.count
    var whole: [UInt8] = []
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      if outer.count < Self.deepest, left > 0, let name = Self.include(Array(line)),
        let inner = try? included(resolve(name, beside: path), within: outer + [path], &left)
      {
        whole += inner
      } else {
        whole += line
      }
      whole.append(0x0A)
    }
    return whole
  }

  private static func include(_ line: [UInt8]) -> String? {
    guard let statement = (try? NewsboatConfig.parse(line))?.first, statement.command == "include"
    else { return nil }
    return statement.words.first
  }

  private func resolve(_ name: String, beside path: String) -> String {
    if name.hasPrefix("~/") { return (home ?? "~") + name.dropFirst() }
    guard !name.hasPrefix("/") else { return name }
    return URL(filePath: path).deletingLastPathComponent().appending(path: name).path
  }
}
