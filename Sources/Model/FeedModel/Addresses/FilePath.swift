/// Paths of files, as text.
public enum FilePath {
  /// The folder that contains a file or folder: "a" for "a/b" and "a/b/", "." for "b", "/" for "/"
  /// and "/b". Links and ".." are not resolved.
  ///
  /// Foundation's `deletingLastPathComponent` crashes for a path of one character.
  public static func folder(of path: String) -> String {
    let bytes = path.utf8
    let slash = UInt8(ascii: "/")
    guard let end = bytes.lastIndex(where: { $0 != slash }) else {
      return bytes.isEmpty ? "." : "/"
    }
    guard let separator = bytes[...end].lastIndex(of: slash) else { return "." }
    guard let last = bytes[..<separator].lastIndex(where: { $0 != slash }) else { return "/" }
    return String(path[...last])
  }
}
