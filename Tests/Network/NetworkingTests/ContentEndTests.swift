@testable import Networking

@Suite("The end of a compressed body") struct ContentEndTests {
  func verdict(
    _ encoding: String, _ bytes: [UInt8], decoded: [UInt8] = [], isChunked: Bool = false,
    piece: Int = 3
  ) -> ContentEnd.Verdict? {
    guard var end = ContentEnd(encoding: encoding, isChunked: isChunked) else { return nil }
    var rest = bytes[...]
    while !rest.isEmpty {
      Array(rest.prefix(piece)).withUnsafeBytes { end.sawRaw($0) }
      rest = rest.dropFirst(piece)
    }
    decoded.withUnsafeBytes { end.sawDecoded($0) }
    return end.verdict(received: end.codedBytes)
  }

  let text = Array("The lock opened at six.".utf8)

  @Test("The end of gzip is recognised, with and without the framing of chunks")
  func findsTheEndOfGzip() {
    let whole = Gzip.compress(text)
    let framed = Array("5;ext=1\r\n".utf8) + whole[..<5]
    let rest = Array("\r\n\(String(whole.count - 5, radix: 16))\r\n".utf8) + whole[5...]
    let end = Array("\r\n0\r\nTrailer: 1\r\n\r\n".utf8)
    for piece in [1, 4, 1_000] {
      #expect(verdict("gzip", whole, decoded: text, piece: piece) == .complete)
      let chunks = framed + rest + end
      #expect(verdict("gzip", chunks, decoded: text, isChunked: true, piece: piece) == .complete)
      // The library may already have removed the framing.
      #expect(verdict("gzip", whole, decoded: text, isChunked: true, piece: piece) == .complete)
      #expect(verdict("gzip", whole.dropLast(), decoded: text, piece: piece) == .truncated)
    }
  }

  @Test("An end that cannot be recognised is reported as unknown") func admitsWhatItCannotKnow() {
    for coding in ["br", "zstd", "deflate", "gzip, gzip"] {
      #expect(verdict(coding, [1, 2, 3]) == .unknown)
    }
    #expect(verdict("identity", [1]) == nil)
    #expect(verdict("", [1]) == nil)
    #expect(verdict("gzip", []) == .complete)
    var unseen = ContentEnd(encoding: "gzip", isChunked: false)
    [1, 2, 3].withUnsafeBytes { unseen?.sawRaw($0) }
    #expect(unseen?.verdict(received: 7) == .unknown)
  }
}
