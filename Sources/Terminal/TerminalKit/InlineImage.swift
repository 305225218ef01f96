/// Sequences of iTerm2's inline images (iterm2.com/documentation-images.html).
package enum InlineImage {
  /// Returns a sequence that draws a file, such as a PNG, at the cursor.
  /// - Parameters:
  ///   - columns, rows: the cells that the picture fills.
  package static func sequence(_ file: [UInt8], columns: Int, rows: Int) -> [UInt8] {
    let head =
      "\u{1B}]1337;File=inline=1;size=\(file.count);width=\(columns);height=\(rows);"
      + "preserveAspectRatio=0;doNotMoveCursor=1:"
    return Array(head.utf8) + Base64.encode(file) + [0x07]
  }
}
