/// A command line that needs a shell.
package nonisolated enum ShellLine {
  private static let operators: Set<Character> = ["|", "<", ">", ";", "&", "$", "`", "*"]

  /// Returns the line as one argument of `sh -c`; `nil` if the line needs no shell, since it has no
  /// operators or they are quoted.
  package static func wrapped(_ line: String) -> String? {
    var quote: Character?
    var isEscaped = false
    var needsShell = false
    for character in line {
      if isEscaped {
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if character == open { quote = nil }
      } else if character == "'" || character == "\"" {
        quote = character
      } else if operators.contains(character) {
        needsShell = true
      }
    }
    guard needsShell, !line.hasPrefix("sh -c ") else { return nil }
    return "sh -c '" + line.replacing("'", with: "'\\''") + "'"
  }
}
