import TestSupport

@Suite("Headers of pictures") struct PictureHeaderTests {
  @Test(
    "The kind and size of a picture are read from its bytes",
    arguments: [
      (SamplePictures.jpeg, PictureHeader.Kind.jpeg),
      (SamplePictures.progressiveJPEG, .jpeg), (SamplePictures.printJPEG, .jpeg),
      (SamplePictures.png, .png), (SamplePictures.gif, .gif), (SamplePictures.webp, .webp),
      (SamplePictures.losslessWebP, .webp), (SamplePictures.animatedWebP, .webp),
    ])
  func kinds(bytes: [UInt8], kind: PictureHeader.Kind) throws {
    let header = try PictureHeader.read(bytes)
    #expect(header.kind == kind)
    #expect(header.size == PictureSize(width: 64, height: 48))
  }

  @Test(
    "A picture that is not shown is refused with its reason",
    arguments: [
      (Array("<html>".utf8), PictureRefusal.notAPicture), ([], .notAPicture),
      (Array("<?xml version='1.0'?><svg xmlns='x'/>".utf8), .otherKind),
      (Array("\0\0\0\u{1C}ftypavif".utf8), .otherKind), (Array("BM1234".utf8), .otherKind),
      (SamplePictures.pngFile(width: 65_500, height: 65_500, data: []), .tooManyPixels),
      (SamplePictures.pngFile(width: 0, height: 10, data: []), .damaged),
      (SamplePictures.pngFile(width: 1, height: 1, data: []), .tracker),
      (SamplePictures.pngFile(width: 8, height: 8, data: []), .tracker),
      (SamplePictures.gif(width: 1, height: 1), .tracker),
      (Array(SamplePictures.jpeg.prefix(20)), .damaged), ([0xFF, 0xD8, 0xFF], .damaged),
    ])
  func refusals(bytes: [UInt8], reason: PictureRefusal) {
    #expect(throws: reason) { try PictureHeader.read(bytes) }
  }

  @Test("A picture of 9 × 1 is shown") func narrow() throws {
    let header = try PictureHeader.read(SamplePictures.pngFile(width: 9, height: 1, data: []))
    #expect(header.size == PictureSize(width: 9, height: 1))
  }

  @Test("A rotated picture has its sides swapped, in both byte orders") func orientation() throws {
    for isLittle in [false, true] {
      for value in UInt8(0)...9 {
        let bytes = SamplePictures.jpeg(orientation: value, isLittle: isLittle)
        let expected = PictureOrientation(rawValue: Int(value)) ?? .upright
        #expect(PictureOrientation(of: bytes) == expected)
        let size = try PictureHeader.read(bytes).size
        #expect(
          size
            == (value >= 5 && value <= 8
              ? PictureSize(width: 48, height: 64) : PictureSize(width: 64, height: 48)))
      }
    }
    #expect(PictureOrientation(of: SamplePictures.jpeg) == .upright)
    #expect(PictureOrientation(of: SamplePictures.png) == .upright)
    // A truncated or damaged header counts as upright, and no access is out of bounds.
    let whole = SamplePictures.jpeg(orientation: 6)
    var random = SeededRandom(seed: 45)
    for end in 0..<80 {
      _ = PictureOrientation(of: Array(whole.prefix(end)))
      var other = whole
      for _ in 0..<3 {
        other[Int.random(in: 2..<60, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      _ = PictureOrientation(of: other)
    }
  }

  @Test("A truncated or changed picture never crashes the reader") func damage() {
    var random = SeededRandom(seed: 23)
    let whole = [
      SamplePictures.jpeg, SamplePictures.png, SamplePictures.gif, SamplePictures.webp,
      SamplePictures.losslessWebP, SamplePictures.animatedWebP,
    ]
    var read = 0
    for bytes in whole {
      for end in 0..<min(bytes.count, 400) {
        var cut = Array(bytes.prefix(end))
        _ = try? PictureHeader.read(cut)
        guard !cut.isEmpty else { continue }
        cut[Int.random(in: 0..<cut.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
        if (try? PictureHeader.read(cut)) != nil { read += 1 }
      }
    }
    #expect(read > 0)
  }
}
