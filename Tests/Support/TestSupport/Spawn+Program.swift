import Foundation

extension Spawn {
  /// Writes a shell script that can be run as a program. Another process writes it, because a child
  /// forked for another test would inherit the open file, and a program that is open for writing
  /// does not start (ETXTBSY).
  @discardableResult
  public static func program(at path: String, _ script: String) throws -> String {
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: path + ".text"))
    let line = #"rm -f -- "$0"; cp -- "$0.text" "$0" && chmod 700 "$0" && rm -- "$0.text""#
    let copy = try start(
      ["/bin/sh", "-c", line, path], environment: [:], terminal: nil, output: nil)
    guard wait(for: copy)?.exitCode == 0 else {
      throw CocoaError(.fileWriteUnknown)
    }
    return path
  }
}
