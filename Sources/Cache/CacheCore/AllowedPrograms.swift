import Foundation
import GRDB

/// Programs that the user allowed on this machine: feeds of programs (`exec:`, `filter:`) and
/// commands that print the passwords of accounts. They are listed in a file beside the database,
/// because a database may come from somebody else.
package struct AllowedPrograms: Sendable {
  package static let name = "programs.json"
  private let path: String

  package init(directory: String) {
    path = (directory as NSString).appendingPathComponent(Self.name)
  }

  /// Returns the program of an address with its arguments, and for a filter also its page; `nil` if
  /// the address runs no program.
  package static func command(of address: String) -> [String]? {
    switch LocalSource(address) {
    case .program(let words): ["exec"] + words
    case .filter(let words, let url): ["filter"] + words + [url]
    case .file, nil: nil
    }
  }

  package static func command(ofPassword words: [String]) -> [String] {
    ["password-command"] + words
  }

  package func contains(_ command: [String]) -> Bool { commands.contains(command) }

  package func allow(_ new: [[String]]) throws(StoreError) {
    let folder = FilePath.folder(of: path)
    do {
      try StoreFiles.alone(with: path) {
        let known = commands
        let missing = Set(new).subtracting(known)
        guard !missing.isEmpty else { return }
        let partial = "\(path).partial-\(getpid())"
        unlink(partial)
        defer { unlink(partial) }
        try StoreFiles.make(partial)
        let all = known.union(missing).sorted { $0.lexicographicallyPrecedes($1) }
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: partial))
        defer { try? file.close() }
        try file.write(contentsOf: JSONEncoder().encode(all))
        try StoreFiles.name(partial, path, replacing: true)
      }
    } catch {
      throw StoreError(error, path: folder)
    }
  }

  /// Allowed commands; empty if the file is unreadable or if other users own or can write it.
  private var commands: Set<[String]> {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_uid == geteuid(), status.st_mode & 0o022 == 0,
      let data = FileManager.default.contents(atPath: path)
    else { return [] }
    return (try? JSONDecoder().decode(Set<[String]>.self, from: data)) ?? []
  }
}
