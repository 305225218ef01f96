/// Sequences of kitty's graphics protocol.
package enum GraphicsSequence {
  /// Queries graphics support without showing a picture; see `isYes`.
  package static let question = Array("\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\".utf8)
  static let prefix = Array("\u{1B}_Gi=31;".utf8)

  /// Returns true if the answer confirms graphics support.
  package static func isYes(_ answer: [UInt8]) -> Bool {
    answer.starts(with: Array("\u{1B}_Gi=31;OK".utf8))
  }

  /// The protocol's limit of base64 bytes in one sequence.
  private static let chunk = 4_096

  /// Returns sequences that send a picture and make a virtual placement for cells. No other
  /// sequence of this protocol may come between the elements.
  package static func transmission(of picture: TerminalPicture, number: UInt32) -> [[UInt8]] {
    let image = picture.image
    let isOpaque = image.isOpaque
    let pixels = isOpaque ? withoutAlpha(image.bytes) : image.bytes
    let data = Base64.encode(pixels)
    var sequences: [[UInt8]] = []
    var start = 0
    while start < data.count {
      let end = min(start + chunk, data.count)
      let isLast = end == data.count
      var sequence = Array("\u{1B}_G".utf8)
      if start == 0 {
        sequence +=
          "a=t,t=d,q=2,i=\(number),f=\(isOpaque ? 24 : 32),s=\(image.width),v=\(image.height),".utf8
      }
      sequence += "m=\(isLast ? 0 : 1);".utf8
      sequence += data[start..<end]
      sequence += "\u{1B}\\".utf8
      sequences.append(sequence)
      start = end
    }
    sequences.append(
      Array(
        "\u{1B}_Ga=p,U=1,q=2,i=\(number),c=\(picture.columns),r=\(picture.rows)\u{1B}\\".utf8))
    return sequences
  }

  /// Returns a sequence that removes a picture and frees its data.
  package static func removal(_ number: UInt32) -> [UInt8] {
    Array("\u{1B}_Ga=d,d=I,q=2,i=\(number)\u{1B}\\".utf8)
  }

  /// Returns a sequence that removes all these pictures, short enough for a crash handler.
  package static func removal(_ numbers: ClosedRange<UInt32>) -> [UInt8] {
    Array("\u{1B}_Ga=d,d=R,q=2,x=\(numbers.lowerBound),y=\(numbers.upperBound)\u{1B}\\".utf8)
  }

  /// Wraps a sequence for the terminal that runs tmux; tmux must have `allow-passthrough` set.
  package static func throughTmux(_ sequence: [UInt8]) -> [UInt8] {
    var wrapped = Array("\u{1B}Ptmux;".utf8)
    for byte in sequence {
      if byte == 0x1B { wrapped.append(byte) }
      wrapped.append(byte)
    }
    return wrapped + Array("\u{1B}\\".utf8)
  }

  private static func withoutAlpha(_ pixels: [UInt8]) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(pixels.count / 4 * 3)
    for start in stride(from: 0, to: pixels.count, by: 4) {
      out.append(pixels[start])
      out.append(pixels[start + 1])
      out.append(pixels[start + 2])
    }
    return out
  }
}

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

/// Base64 (RFC 4648, section 4) for the clipboard and pictures, without Foundation.
package enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Returns ASCII with padding, without line ends.
  package static func encode(_ bytes: some Collection<UInt8>) -> [UInt8] {
    let input = Array(bytes)
    var out: [UInt8] = []
    out.reserveCapacity((input.count + 2) / 3 * 4)
    alphabet.withUnsafeBufferPointer { alphabet in
      var index = 0
      while index < input.count {
        let count = min(3, input.count - index)
        var group = UInt32(input[index]) << 16
        if count > 1 { group |= UInt32(input[index + 1]) << 8 }
        if count > 2 { group |= UInt32(input[index + 2]) }
        for digit in 0...count { out.append(alphabet[Int(group >> (18 - 6 * UInt32(digit))) & 63]) }
        for _ in count..<3 { out.append(UInt8(ascii: "=")) }
        index += 3
      }
    }
    return out
  }
}
