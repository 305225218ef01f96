/// Words of a shell's command line (POSIX, 2.2 Quoting).
public enum ShellWord {
  private static let plain = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=@%+,".unicodeScalars)

  /// Returns a text as a single word. The word is quoted if it has characters that a shell may
  /// interpret; control characters then become spaces.
  public static func quoted(_ text: String) -> String {
    let isPlain = !text.isEmpty && text.unicodeScalars.allSatisfy(plain.contains)
    guard !isPlain else { return text }
    let line = String(text.map { $0.unicodeScalars.allSatisfy(\.isControl) ? " " : $0 })
    return "'" + line.replacing("'", with: "'\\''") + "'"
  }
}

extension Unicode.Scalar {
  fileprivate var isControl: Bool { properties.generalCategory == .control }
}
