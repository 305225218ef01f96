import Testing

@testable import Networking

@Suite("The end of a compressed body") struct ContentEndTests {
  func verdict(_ encoding: String, _ bytes: [UInt8], isChunked: Bool = false, piece: Int = 3)
    -> ContentEnd.Verdict?
  {
    guard var end = ContentEnd(encoding: encoding, isChunked: isChunked) else { return nil }
    var rest = bytes[...]
    while !rest.isEmpty {
      Array(rest.prefix(piece)).withUnsafeBytes { end.sawRaw($0) }
      rest = rest.dropFirst(piece)
    }
    return end.verdict(received: end.codedBytes)
  }

  // "abc" in a raw block, with a checksum; 3,000 zeros in a run-length block.
  let text: [UInt8] = [
    0x28, 0xB5, 0x2F, 0xFD, 0x24, 0x03, 0x19, 0x00, 0x00, 0x61, 0x62, 0x63, 0x01, 0x02, 0x03, 0x04,
  ]
  let run: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x60, 0xB8, 0x0A, 0xC3, 0x5D, 0x00, 0x00]

  @Test("The end of zstd frames is recognised")
  func findsTheEndOfZstdFrames() {
    let skippable: [UInt8] = [0x50, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3]
    for whole in [text, run, text + run, skippable + text, text + skippable] {
      for piece in [1, 2, 7, 1_000] {
        #expect(verdict("zstd", whole, piece: piece) == .complete)
      }
    }
    for cut in 1..<text.count { #expect(verdict("zstd", Array(text.dropLast(cut))) == .truncated) }
    #expect(verdict("zstd", [1, 2, 3, 4, 5, 6]) == .truncated)
  }

  @Test("Chunk framing is removed")
  func removesChunkFraming() {
    let framed = Array("5;ext=1\r\n".utf8) + text[..<5] + Array("\r\nB\r\n".utf8) + text[5...]
    let end = Array("\r\n0\r\nTrailer: 1\r\n\r\n".utf8)
    for piece in [1, 4, 1_000] {
      #expect(verdict("zstd", framed + end, isChunked: true, piece: piece) == .complete)
      // The library may already have removed the framing.
      #expect(verdict("zstd", text, isChunked: true, piece: piece) == .complete)
    }
  }

  @Test("An end that cannot be recognised is reported as unknown")
  func admitsWhatItCannotKnow() {
    #expect(verdict("br", [1, 2, 3]) == .unknown)
    #expect(verdict("gzip, gzip", [1, 2, 3]) == .unknown)
    #expect(verdict("identity", [1]) == nil)
    #expect(verdict("", [1]) == nil)
    #expect(verdict("gzip", []) == .complete)
    var unseen = ContentEnd(encoding: "gzip", isChunked: false)
    [1, 2, 3].withUnsafeBytes { unseen?.sawRaw($0) }
    #expect(unseen?.verdict(received: 7) == .unknown)
  }
}
