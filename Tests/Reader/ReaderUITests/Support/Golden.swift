/// Compares screens with recorded files. `make golden` (`WEIR_RECORD_GOLDEN=1`) records them; check
/// the difference before you commit it.
enum Golden {
  static func check(
    _ name: String, _ screen: String, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Golden")
    let file = folder.appendingPathComponent("\(name).txt")
    if ProcessInfo.processInfo.environment["WEIR_RECORD_GOLDEN"] != nil {
      try Data(screen.utf8).write(to: file)
      return
    }
    guard let data = try? Data(contentsOf: file) else {
      Issue.record("no golden file \(name); record it with make golden", sourceLocation: location)
      return
    }
    let expected = String(decoding: data, as: UTF8.self)
    if expected != screen {
      Issue.record(
        "\(name) differs.\nExpected:\n\(expected)\nShown:\n\(screen)", sourceLocation: location)
    }
  }
}
