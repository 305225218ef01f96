/// Cuts lines of bytes into styled runs.
enum RunCutter {
  static func runs(_ text: InlineText, _ line: LineBreaker.Line, _ width: Int) -> [StyledRun] {
    var result: [StyledRun] = []
    var start = line.range.lowerBound
    let end = line.range.upperBound
    var low = 0
    var high = text.runs.count
    while low < high {
      let middle = (low + high) / 2
      if text.runs[middle].end <= start { low = middle + 1 } else { high = middle }
    }
    while start < end, low < text.runs.count {
      let run = text.runs[low]
      let stop = min(run.end, end)
      let piece = shown(text.bytes[start..<stop])
      if !piece.isEmpty { result.append(StyledRun(piece, style: run.style, link: run.link)) }
      start = stop
      low += 1
    }
    if line.isHyphenated, let last = result.indices.last { result[last].text += "-" }
    // Shows a wide character in a window of one column as "?".
    if line.width > width, !result.isEmpty {
      return [StyledRun("?", style: result[0].style, link: result[0].link)]
    }
    return result
  }

  /// Removes characters that only allow or prevent breaks; no-break spaces become spaces.
  private static func shown(_ bytes: ArraySlice<UInt8>) -> String {
    guard bytes.contains(where: { $0 == 0xC2 || $0 == 0xE2 }) else {
      return String(decoding: bytes, as: UTF8.self)
    }
    var scalars = String.UnicodeScalarView()
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      switch scalar.value {
      case 0xAD, 0x200B, 0x2060: continue
      case 0xA0, 0x202F, 0x2007: scalars.append(" ")
      default: scalars.append(scalar)
      }
    }
    return String(scalars)
  }
}

/// Widens the spaces of a line.
enum Justifier {
  static func fill(_ runs: inout [StyledRun], _ columns: Int, to width: Int) {
    let missing = width - columns
    guard missing > 0 else { return }
    let spaces = runs.reduce(0) { $0 + $1.text.utf8.count { $0 == 0x20 } }
    // Wider gaps would form rivers.
    guard spaces > 0, missing <= spaces * 2 else { return }
    var seen = 0
    for index in runs.indices {
      var bytes: [UInt8] = []
      for byte in runs[index].text.utf8 {
        bytes.append(byte)
        guard byte == 0x20 else { continue }
        let extra = missing * (seen + 1) / spaces - missing * seen / spaces
        bytes.append(contentsOf: repeatElement(0x20, count: extra))
        seen += 1
      }
      runs[index].text = String(decoding: bytes, as: UTF8.self)
    }
  }
}
