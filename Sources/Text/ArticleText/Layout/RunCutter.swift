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
