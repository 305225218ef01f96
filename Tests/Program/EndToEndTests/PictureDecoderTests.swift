import TerminalKit

@testable import weir

/// The child process is the program itself, as the reader starts it.
@Suite("The picture decoder process", .ownThreads) struct PictureDecoderTests {
  private let decoder = PictureDecoder(program: CommandFixture.program)

  @Test(
    "Every kind of picture is decoded to its pixels",
    arguments: [
      SamplePictures.jpeg, SamplePictures.progressiveJPEG, SamplePictures.printJPEG,
      SamplePictures.png, SamplePictures.gif, SamplePictures.webp, SamplePictures.losslessWebP,
      SamplePictures.animatedWebP,
    ])
  func kinds(bytes: [UInt8]) async throws {
    let image = try await decoder.decode(bytes, width: 100, height: 100)
    #expect((image.width, image.height) == (64, 48))
    expect(image, isRedLeftAndBlueRight: 60)
  }

  @Test(
    "A picture is scaled down to the shown size with its proportions, and never up",
    arguments: [SamplePictures.jpeg, SamplePictures.png, SamplePictures.gif, SamplePictures.webp])
  func scaling(bytes: [UInt8]) async throws {
    let small = try await decoder.decode(bytes, width: 8, height: 100)
    #expect((small.width, small.height) == (8, 6))
    expect(small, isRedLeftAndBlueRight: 70)
    let low = try await decoder.decode(bytes, width: 100, height: 3)
    #expect((low.width, low.height) == (4, 3))
  }

  @Test("A picture is rotated as its orientation says") func orientation() async throws {
    // The side of the picture on which the red half of the file is shown.
    let sides: [UInt8: (x: Double, y: Double)] = [
      1: (0, 0.5), 2: (1, 0.5), 3: (1, 0.5), 4: (0, 0.5), 5: (0.5, 0), 6: (0.5, 0), 7: (0.5, 1),
      8: (0.5, 1),
    ]
    for (value, side) in sides {
      let image = try await decoder.decode(
        SamplePictures.jpeg(orientation: value), width: 100, height: 100)
      #expect((image.width, image.height) == (value >= 5 ? (48, 64) : (64, 48)), "\(value)")
      let x = Int(side.x * Double(image.width - 1))
      let y = Int(side.y * Double(image.height - 1))
      let start = (y * image.width + x) * 4
      #expect(image.bytes[start] > 140 && image.bytes[start + 2] < 90, "\(value)")
    }
  }

  @Test("A progressive picture with more scans than any camera writes is refused at once")
  func scans() async throws {
    let usual = try await decoder.decode(
      SamplePictures.progressiveJPEG(scans: 12), width: 64, height: 64)
    #expect((usual.width, usual.height) == (64, 64))
    for (side, scans) in [(64, 65), (6_000, 14)] {
      let bytes = SamplePictures.progressiveJPEG(side: side, scans: scans)
      await #expect(throws: PictureDecoder.Failure.tooLarge, "\(side)") {
        try await decoder.decode(bytes, width: 64, height: 64)
      }
    }
  }

  @Test("The decoder inherits nothing of the environment") func environment() async throws {
    let fixture = try CommandFixture()
    let seen = fixture.home.appending(path: "seen").path
    let program = try fixture.program("decoder", "#!/bin/sh\nexec /usr/bin/env >'\(seen)'\n")
    _ = try? await PictureDecoder(program: program).decode([0], width: 1, height: 1)
    let names = try String(contentsOfFile: seen, encoding: .utf8).split(separator: "\n")
      .map { $0.prefix { $0 != "=" } }
    #expect(Set(names).isSubset(of: ["PWD", "SHLVL", "_"]), "\(names)")
  }

  private func expect(_ image: PixelImage, isRedLeftAndBlueRight tolerance: Int) {
    for (x, wanted) in [(0, [200, 30, 30, 255]), (image.width - 1, [30, 30, 200, 255])] {
      let start = (image.height / 2 * image.width + x) * 4
      let pixel = image.bytes[start..<start + 4].map { Int($0) }
      let isNear = zip(pixel, wanted).allSatisfy { abs($0 - $1) <= tolerance }
      #expect(isNear, "\(pixel) is not \(wanted)")
    }
  }

  @Test("A truncated picture shows its existing part or is reported as damaged")
  func cut() async throws {
    for bytes in [
      SamplePictures.jpeg, SamplePictures.progressiveJPEG, SamplePictures.png, SamplePictures.gif,
      SamplePictures.webp, SamplePictures.losslessWebP, SamplePictures.animatedWebP,
    ] {
      for share in [0.1, 0.5, 0.9] {
        let cut = Array(bytes.prefix(Int(Double(bytes.count) * share)))
        do throws(PictureDecoder.Failure) {
          let image = try await decoder.decode(cut, width: 64, height: 48)
          #expect(image.width == 64)
        } catch {
          #expect(error == .damaged || error == .unknownKind)
        }
      }
    }
  }

  @Test("65,500 × 65,500 pixels are refused before any of them is decoded")
  func enormous() async throws {
    let bytes = SamplePictures.pngFile(width: 65_500, height: 65_500, data: [0x78, 0x9C])
    await #expect(throws: PictureDecoder.Failure.tooLarge) {
      try await decoder.decode(bytes, width: 100, height: 100)
    }
    // The frame header of a JPEG states the same size.
    var jpeg = SamplePictures.jpeg
    let frame = try #require(
      (0..<jpeg.count - 1).first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 })
    jpeg.replaceSubrange(frame + 5..<frame + 9, with: [0xFF, 0xDC, 0xFF, 0xDC])
    await #expect(throws: PictureDecoder.Failure.tooLarge) {
      try await decoder.decode(jpeg, width: 100, height: 100)
    }
  }

  @Test("Zeros that fill 39 million pixels are decoded within the limits")
  func bomb() async throws {
    let image = try await decoder.decode(SamplePictures.bomb, width: 100, height: 100)
    #expect((image.width, image.height) == (100, 92))
    #expect(image.bytes.prefix(4).elementsEqual([0, 0, 0, 255]))
  }

  @Test(
    "Other data, drawings and pages named like pictures have no pixels",
    arguments: [
      [], Array("<svg/>".utf8), Array("<html><img></html>".utf8), [0xFF, 0xD8, 0xFF],
      Array("GIF89a".utf8), Array("RIFF\0\0\0\0WEBPVP8 ".utf8),
    ] as [[UInt8]])
  func mislabelled(bytes: [UInt8]) async {
    await #expect(throws: PictureDecoder.Failure.self) {
      try await decoder.decode(bytes, width: 10, height: 10)
    }
  }

  @Test("A picture that is also a page is decoded by its first bytes")
  func polyglot() async throws {
    let bytes = SamplePictures.gif + Array("<script>alert(1)</script>PK\u{3}\u{4}".utf8)
    let image = try await decoder.decode(bytes, width: 64, height: 48)
    expect(image, isRedLeftAndBlueRight: 10)
  }

  @Test("Random damage ends with pixels or a reason, and the child process ends")
  func damage() async {
    var random = SeededRandom(seed: 7)
    var ends: Set<String> = []
    for bytes in [
      SamplePictures.jpeg, SamplePictures.png, SamplePictures.gif, SamplePictures.webp,
      SamplePictures.losslessWebP,
    ] {
      for _ in 0..<8 {
        var changed = bytes
        for _ in 0..<6 {
          changed[Int.random(in: 12..<changed.count, using: &random)] = UInt8.random(
            in: 0...255, using: &random)
        }
        do throws(PictureDecoder.Failure) {
          _ = try await decoder.decode(changed, width: 64, height: 48)
          ends.insert("decoded")
        } catch {
          if case .ended(let how) = error { Issue.record("the child ended: \(how)") }
          ends.insert("refused")
        }
      }
    }
    #expect(ends == ["decoded", "refused"])
  }

  @Test("Input that is not a request ends the child process with a usage error")
  func misuse() throws {
    let outcome = try CommandFixture().weir("decode-picture", input: "nonsense of 16 bytes")
    #expect(outcome.code == 64)
    #expect(outcome.output.isEmpty)
  }

  #if os(Linux)
    @Test(
      "The child process is limited to 600 MB, five seconds, no open files and few system calls")
    func confinement() throws {
      guard !CommandFixture.isInstrumented else { return }
      let child = Process()
      let input = Pipe()
      child.executableURL = URL(filePath: CommandFixture.program)
      child.arguments = ["decode-picture"]
      child.standardInput = input
      child.standardOutput = FileHandle.nullDevice
      try child.run()
      defer {
        try? input.fileHandleForWriting.close()
        child.waitUntilExit()
      }
      let folder = "/proc/\(child.processIdentifier)"
      let end = Patience.end
      var status = ""
      while !status.contains("Seccomp:\t2"), ContinuousClock.now < end {
        status = (try? String(contentsOfFile: folder + "/status", encoding: .utf8)) ?? ""
      }
      #expect(status.contains("Seccomp:\t2"))
      #expect(status.contains("NoNewPrivs:\t1"))
      let limits = try String(contentsOfFile: folder + "/limits", encoding: .utf8)
      func limit(_ name: String) -> Substring? {
        let line = limits.split(separator: "\n").first { $0.hasPrefix(name) }
        return line?.dropFirst(name.count).split(separator: " ").first
      }
      #expect(limit("Max address space") == "629145600")
      #expect(limit("Max cpu time") == "5")
      #expect(limit("Max open files") == "0")
      #expect(limit("Max file size") == "0")
      #expect(limit("Max core file size") == "0")
    }
  #endif
}
