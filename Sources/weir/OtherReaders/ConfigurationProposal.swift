import Foundation

/// Settings translated from another reader's configuration as a TOML file, and a report about each
/// of its lines.
struct ConfigurationProposal: Equatable {
  struct Note: Equatable {
    var line: String
    var result: String
  }

  /// Table → its lines in order. "bindings.reader" is a table too.
  private(set) var tables: [String: [(key: String, value: String)]] = [:]
  var taken: [Note] = []
  /// Another name or place in Weir.
  var renamed: [Note] = []
  /// No equivalent in Weir.
  var refused: [Note] = []
  /// `ignore-article` and `highlight-article`, for rules.
  var rules: [Note] = []
  /// Commands that have lost their keys.
  var lost: [Note] = []

  var isEmpty: Bool { tables.isEmpty }

  static func == (a: ConfigurationProposal, b: ConfigurationProposal) -> Bool {
    a.text == b.text && a.taken == b.taken && a.renamed == b.renamed && a.refused == b.refused
      && a.rules == b.rules && a.lost == b.lost
  }

  /// The last value of a key counts, as in newsboat.
  mutating func set(_ table: String, _ key: String, _ value: String) {
    tables[table, default: []].removeAll { $0.key == key }
    tables[table, default: []].append((key, value))
  }

  var text: String {
    tables.sorted { $0.key < $1.key }.map { table, lines in
      (["[\(table)]"] + lines.map { "\(Self.key($0.key)) = \($0.value)" }).joined(separator: "\n")
    }.joined(separator: "\n\n") + (tables.isEmpty ? "" : "\n")
  }

  private static func key(_ name: String) -> String {
    let isBare =
      !name.isEmpty
      && name.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "-")
      }
    return isBare ? name : quoted(name)
  }

  static func quoted(_ text: String) -> String {
    var out = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": out += "\\\""
      case "\\": out += "\\\\"
      case "\u{0}"..."\u{1F}", "\u{7F}": out += String(format: "\\u%04X", scalar.value)
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out + "\""
  }

  static func list(_ words: [String]) -> String {
    "[" + words.map(quoted).joined(separator: ", ") + "]"
  }

  var report: [String] {
    func chapter(_ title: String, _ notes: [Note]) -> [String] {
      guard !notes.isEmpty else { return [] }
      return ["", "\(title):"]
        + notes.flatMap { ["  \(SafeText.line($0.line))", "    \($0.result)"] }
    }
    return chapter("Taken", taken) + chapter("Has another name or place", renamed)
      + chapter("Became rules", rules)
      + chapter("Left without a key; \u{201C}:\u{201D} finds them by name", lost)
      + chapter("No counterpart", refused)
  }

  /// Writes the proposal beside the configuration, never over a file that exists.
  /// - Returns: the path of the new file.
  func write(beside configuration: String, from name: String) throws -> String {
    let folder = URL(filePath: configuration).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let head = """
      # What \(name)\u{2019}s configuration becomes in Weir. None of this is active yet: copy what you want
      # into \(configuration).


      """
    for number in 1...1_000 {
      let suffix = number == 1 ? "" : "-\(number)"
      let path = folder.appending(path: "from-\(name)\(suffix).toml").path
      let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard file >= 0 else {
        guard errno == EEXIST else {
          throw CommandFailure("\(path): \(String(cString: strerror(errno))).")
        }
        continue
      }
      let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
      try handle.write(contentsOf: Data((head + text).utf8))
      try handle.close()
      return path
    }
    throw CommandFailure("\(folder.path) has too many files from-\(name).toml. Remove some.")
  }
}
