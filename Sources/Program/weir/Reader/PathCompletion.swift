import Foundation
import ProgramSettings

enum PathCompletion {
  private static let most = 200

  /// Returns completions as typed, including `~`. Folders end in a slash; hidden files need a dot.
  static func paths(like path: String) -> [String] {
    let typed = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    let name = String(path.dropFirst(typed.count))
    let folder = Paths.expandingHome(typed.isEmpty ? "." : typed)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let found = names.filter { $0.hasPrefix(name) && (name.hasPrefix(".") || !$0.hasPrefix(".")) }
    return found.sorted().prefix(most).map { name in
      var isFolder = ObjCBool(false)
      let exists = FileManager.default.fileExists(
        atPath: "\(folder)/\(name)", isDirectory: &isFolder)
      return typed + name + (exists && isFolder.boolValue ? "/" : "")
    }
  }
}
