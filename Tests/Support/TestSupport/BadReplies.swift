import Foundation

/// Answers that hang or flood a client: what one bad origin may do to a client of several.
public enum BadReplies {
  /// The replies, with names for tables.
  public static let all: [(name: String, reply: Reply)] = [
    ("hangs after the request", .hang),
    ("hangs in mid-body", .partial(Array("<rss>".utf8), promised: 1 << 20, then: .hang)),
    ("a byte a second", .drip([UInt8](repeating: 0x20, count: 100_000), every: 1)),
    ("a byte in 110 ms", .drip([UInt8](repeating: 0x20, count: 1_000_000), every: 0.11)),
    ("a byte in a millisecond", .drip([UInt8](repeating: 0x20, count: 10_000_000), every: 0.001)),
    ("endless body", .endless([UInt8](repeating: 0x20, count: 64 << 10))),
    ("endless headers", .endlessHeaders),
    ("endless cookies", .endlessHeaders("Set-Cookie: a=b; Path=/")),
    ("endless interim answers", .endlessInterim(103)),
    ("endless trailers", .rawChunks("1\r\n<\r\n0\r\n", endless: "X-Trailer: x\r\n")),
    ("endless chunks", .rawChunks("", endless: "1\r\n \r\n")),
    (
      "endless chunk extensions",
      .rawChunks("", endless: "1;x=\(String(repeating: "x", count: 900))\r\n \r\n")
    ),
    ("one chunk extension without end", .rawChunks("1;x=", endless: "x")),
    ("gzip bomb", bomb(Gzip.bomb(decoded: 300 << 20), "gzip")),
    ("brotli bomb", bomb(brotli, "br")),
    ("zstd bomb", bomb(zstd, "zstd")),
    ("redirect loop", .redirect(302, to: "?again")),
    ("connection reset", .reset),
  ]

  private static func bomb(_ body: [UInt8], _ coding: String) -> Reply {
    .answer(body, headers: [("Content-Encoding", coding)])
  }

  /// 64 MiB of zeros in Brotli (RFC 7932), from a few commands that copy earlier output.
  private static let brotli = Array(
    Data(
      base64Encoded:
        "y///P/gnAOKxQCD3/o///3/wTwDEYRGA7v0f////4J8AiMMCAN37P/7//8E/ARCHBQC693/8//+DfwIgDgsAdO//+P//B/8EQBwWAOje//H//w/+CYA4LADQvf/L//8//BMAcVgAoHv/Bw=="
    ) ?? Data())

  /// 300 MiB of zeros in zstd (RFC 8878): a frame of blocks that each repeat one byte.
  private static let zstd: [UInt8] = {
    let blocks = 2_400
    // No checksum, no size; a window of 128 KiB.
    var bytes: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x38]
    for block in 1...blocks {
      let header = UInt32(128 << 10) << 3 | 1 << 1 | (block == blocks ? 1 : 0)
      bytes += [UInt8(truncatingIfNeeded: header), UInt8(truncatingIfNeeded: header >> 8)]
      bytes += [UInt8(truncatingIfNeeded: header >> 16), 0]
    }
    return bytes
  }()
}
