import Foundation

/// Small pictures of every kind: 64 × 48, the left half red, the right half blue; and hostile
/// pictures.
public enum SamplePictures {
  /// A baseline JPEG.
  public static let jpeg = bytes(
    """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAoHBwgHBgoICAgLCgoLDhgQDg0NDh0VFhEYIx8lJCIfIiEmKzcvJik0KS\
    EiMEExNDk7Pj4+JS5ESUM8SDc9Pjv/2wBDAQoLCw4NDhwQEBw7KCIoOzs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7\
    Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozv/wAARCAAwAEADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAw\
    QFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkK\
    FhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmq\
    KjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEB\
    AQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRob\
    HBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOE\
    hYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+P\
    n6/9oADAMBAAIRAxEAPwDmaKKK8g/RAooooAxqKKK/Wz8wCiiigDZooor8kP08KKKKAMaiiiv1s/MAooooA2aKKK/J\
    D9PCiiigDGooor9bPzAKKKKAP//Z
    """)
  /// A progressive JPEG.
  public static let progressiveJPEG = bytes(
    """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNy\
    wtQFdBRkxOUlNSMj5aYVpQYEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09P\
    T09PT09PT09PT09PT09PT09PT09PT0//wgARCAAwAEADASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xA\
    AXAQEBAQEAAAAAAAAAAAAAAAAABQYE/9oADAMBAAIQAxAAAAGAc1gCUaGGBUM9cAlGhhgVDPXAJRoYYH//xAAUEAEA\
    AAAAAAAAAAAAAAAAAABQ/9oACAEBAAEFAkP/xAAUEQEAAAAAAAAAAAAAAAAAAAAw/9oACAEDAQE/AU//xAAUEQEAAA\
    AAAAAAAAAAAAAAAAAw/9oACAECAQE/AU//xAAUEAEAAAAAAAAAAAAAAAAAAABQ/9oACAEBAAY/AkP/xAAUEAEAAAAA\
    AAAAAAAAAAAAAABQ/9oACAEBAAE/IUP/2gAMAwEAAgADAAAAEP8A/wC+/wD/AL7/AP8Avv/EABQRAQAAAAAAAAAAAA\
    AAAAAAADD/2gAIAQMBAT8QT//EABQRAQAAAAAAAAAAAAAAAAAAADD/2gAIAQIBAT8QT//EABQQAQAAAAAAAAAAAAAA\
    AAAAAFD/2gAIAQEAAT8QQ//Z
    """)
  /// A JPEG in the four colours of print (CMYK).
  public static let printJPEG = bytes(
    """
    /9j/7gAOQWRvYmUAZAAAAAAA/9sAQwANCQoLCggNCwoLDg4NDxMgFRMSEhMnHB4XIC4pMTAuKS0sMzpKPjM2RjcsLU\
    BXQUZMTlJTUjI+WmFaUGBKUVJP/8AAFAgAMABABEMRAE0RAFkRAEsRAP/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgME\
    BQYHCAkKC//EALUQAAIBAwMCBAMFBQQEAAABfQECAwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJCh\
    YXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqi\
    o6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/aAA4EQwBNAFkASw\
    AAPwD06uGrhq9Coooooooooooor54or6Hooooooooooooor6Hor54ooooooooooooor54or6Hooooooooooooor6Ho\
    r54ooooooooooooor54or6Hooooooooooooor6Hor54ooooooooooooor54or6Hooooooooooooor6Hor54ooooooo\
    oooooor54or6Hooooooooooooor6Hor54ooooooooooooor54or6Hooooooooooooor//Z
    """)
  /// A lossy WebP.
  public static let webp = bytes(
    """
    UklGRmIAAABXRUJQVlA4IFYAAABQBACdASpAADAAPrVWpE0nJKOiKrgIAOAWiWMAyx6QfiSAK6Omz6W0bHFgAP7r3i\
    +u1q+rW//ln4gpR5VeXke98cg4Ql/C7Dqk6sZ1Geatww8H38hQAA==
    """)
  /// A lossless WebP.
  public static let losslessWebP = bytes(
    """
    UklGRioAAABXRUJQVlA4TB0AAAAvP8ALAA8wHvdQvRXy/EcLxILJ/KVT6Izof1TBdwA=
    """)
  /// A WebP with two frames.
  public static let animatedWebP = bytes(
    """
    UklGRhIBAABXRUJQVlA4WAoAAAACAAAAPwAALwAAQU5JTQYAAAAAAAAAAABBTk1GegAAAAAAAAAAAD8AAC8AAGQAAA\
    JWUDggYgAAABAFAJ0BKkAAMAA+0V6oTiglJCIqqAEAGgljBigBA1qAbCz0n8AAXxj52mdKPDinqkAA/upl/yFMApRv\
    x1+a5xdYTlYDmUzOL7XAZvEP0P/MfChT3M8B2g6sFq0Ywx9jAAAAQU5NRmQAAAAAAAAAAAA/AAAvAABkAAAAVlA4IE\
    wAAAB0AwCdASpAADAAPtFepFICKgABoJZwC9hoB+AAAVhZU3eiKwAA/tLtf/ILlhdcjX/5sCua5+lvpWR7ygOv6zJm\
    0DgtdcnxoSYQtwAA
    """)

  private static func bytes(_ base64: String) -> [UInt8] {
    Array(Data(base64Encoded: base64) ?? Data())
  }

  /// Returns a pixel's colour: the left half is red, the right half blue.
  public static func halves(_ x: Int, _ width: Int) -> (UInt8, UInt8, UInt8) {
    x < width / 2 ? (200, 30, 30) : (30, 30, 200)
  }

  // MARK: PNG

  /// The halves as true colour.
  public static let png = png(width: 64, height: 48)

  /// - Parameter color: The colour of each pixel; if `nil`, the two halves.
  public static func png(
    width: Int, height: Int, color: ((_ x: Int, _ y: Int) -> (UInt8, UInt8, UInt8))? = nil
  ) -> [UInt8] {
    var rows: [UInt8] = []
    rows.reserveCapacity((width * 3 + 1) * height)
    for y in 0..<height {
      rows.append(0)
      for x in 0..<width {
        let (red, green, blue) = color?(x, y) ?? halves(x, width)
        rows += [red, green, blue]
      }
    }
    return pngFile(width: width, height: height, data: zlib(rows))
  }

  /// Returns a PNG that states this size, with any compressed data.
  public static func pngFile(width: Int, height: Int, data: [UInt8]) -> [UInt8] {
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    file += chunk("IHDR", big(width) + big(height) + [8, 2, 0, 0, 0])
    file += chunk("IDAT", data)
    return file + chunk("IEND", [])
  }

  /// A small PNG with 39 million pixels of zeros when decompressed.
  public static let bomb: [UInt8] = {
    let gzip = Gzip.bomb(decoded: (6_500 * 3 + 1) * 6_000)
    // The deflate stream is between the header of 10 bytes and the trailer of 8.
    return pngFile(
      width: 6_500, height: 6_000, data: [0x78, 0x9C] + gzip[10..<gzip.count - 8] + [0, 0, 0, 0])
  }()

  private static func zlib(_ data: [UInt8]) -> [UInt8] {
    var (a, b) = (1, 0)
    for byte in data {
      a = (a + Int(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return [0x78, 0x9C] + Gzip.deflate(data) + big(b << 16 | a)
  }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + data
    return big(data.count) + body + big(Int(CRC32.of(body)))
  }

  private static func big(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  // MARK: GIF

  /// The halves in two colours.
  public static let gif = gif(width: 64, height: 48)

  /// Returns a GIF of two colours, compressed with eight-bit codes that refer to nothing before.
  public static func gif(width: Int, height: Int) -> [UInt8] {
    func little(_ value: Int) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8 & 0xFF)] }
    var file = Array("GIF89a".utf8) + little(width) + little(height) + [0xF6, 0, 0]
    file += [200, 30, 30, 30, 30, 200] + [UInt8](repeating: 0, count: 126 * 3)
    file += [0x2C, 0, 0, 0, 0] + little(width) + little(height) + [0, 7]
    var codes: [UInt8] = []
    for index in 0..<width * height {
      // 128 clears the table before its codes would need nine bits.
      if index % 100 == 0 { codes.append(128) }
      codes.append(index % width < width / 2 ? 0 : 1)
    }
    codes.append(129)
    var start = 0
    while start < codes.count {
      let end = min(start + 255, codes.count)
      file.append(UInt8(end - start))
      file += codes[start..<end]
      start = end
    }
    return file + [0, 0x3B]
  }
}

extension SamplePictures {
  /// Returns the JPEG as written by a camera that was held in another orientation.
  /// - Parameters:
  ///   - orientation: The value of Exif's tag.
  ///   - isLittle: True for little-endian bytes.
  public static func jpeg(orientation: UInt8, isLittle: Bool = false) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      return isLittle ? bytes : bytes.reversed()
    }
    var data = Array((isLittle ? "II" : "MM").utf8) + number(42, 2) + number(8, 4) + number(2, 2)
    data += number(0x0100, 2) + number(4, 2) + number(1, 4) + number(64, 4)
    data += number(0x0112, 2) + number(3, 2) + number(1, 4) + number(Int(orientation), 2) + [0, 0]
    data += number(0, 4)
    let body = Array("Exif\0\0".utf8) + data
    let segment = [0xFF, 0xE1, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 0xFF)] + body
    return Array(jpeg.prefix(2)) + segment + Array(jpeg.dropFirst(2))
  }

  /// Returns a grey square in this many scans: one of the mean of each block, then the same empty
  /// one of its details repeatedly.
  public static func progressiveJPEG(side: Int = 64, scans: Int) -> [UInt8] {
    let blocks = ((side + 7) / 8) * ((side + 7) / 8)
    func segment(_ marker: UInt8, _ data: [UInt8]) -> [UInt8] {
      [0xFF, marker, UInt8((data.count + 2) >> 8), UInt8((data.count + 2) & 255)] + data
    }
    /// Returns a table with one code, of one bit.
    func code(_ table: UInt8, _ symbol: UInt8) -> [UInt8] {
      segment(0xC4, [table, 1] + [UInt8](repeating: 0, count: 15) + [symbol])
    }
    /// Packs bits into bytes: ones fill the last byte, and a 0 follows 0xFF.
    func packed(_ bits: [UInt8]) -> [UInt8] {
      var bytes: [UInt8] = []
      for start in stride(from: 0, to: bits.count, by: 8) {
        var byte: UInt8 = 0
        for place in start..<(start + 8) {
          byte = byte << 1 | (place < bits.count ? bits[place] : 1)
        }
        bytes += byte == 0xFF ? [0xFF, 0] : [byte]
      }
      return bytes
    }
    var file: [UInt8] = [0xFF, 0xD8]
    file += segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
    let (high, low) = (UInt8(side >> 8), UInt8(side & 255))
    file += segment(0xC2, [8, high, low, high, low, 1, 1, 0x11, 0])
    file += code(0x00, 0) + segment(0xDA, [1, 1, 0, 0, 0, 0])
    file += packed([UInt8](repeating: 0, count: blocks))
    // One code ends 16,384 blocks plus the number in the 14 bits after it, which is 0.
    var rest: [UInt8] = []
    for _ in stride(from: 0, to: blocks, by: 16_384) {
      rest += [UInt8](repeating: 0, count: 15)
    }
    let empty = segment(0xDA, [1, 1, 0, 1, 63, 0]) + packed(rest)
    file += code(0x10, 0xE0)
    for _ in 1..<scans { file += empty }
    return file + [0xFF, 0xD9]
  }
}
