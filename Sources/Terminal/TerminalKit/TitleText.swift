/// Text for a terminal's title.
package enum TitleText {
  /// Returns one line of at most 200 columns without control characters, which could end the
  /// sequence.
  package static func line(_ text: String, supportsUTF8: Bool) -> String {
    var surface = Surface(size: Size(width: 200, height: 1))
    let used = surface.write(text, x: 0, y: 0)
    var line = ""
    for x in 0..<used {
      let text = surface[x, 0].text
      line +=
        supportsUTF8
        ? text : ASCIIFallback.text(for: text, columns: surface.isWideLead(x, 0) ? 2 : 1)
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}
