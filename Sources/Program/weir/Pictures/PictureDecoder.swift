// Decodes pictures to pixels in a child process.

import CPictures
import Foundation
import Programs
import SyncEngine
import TerminalKit
import Wording

/// Decodes pictures in a child process without files and network, limited to 600 MB and five
/// seconds of processor time. Each picture has a separate process.
struct PictureDecoder: Sendable {
  enum Failure: Error, Equatable {
    /// The first bytes belong to no supported format.
    case unknownKind
    case damaged
    case tooLarge
    /// The child ended without a reply, by a limit or a crash.
    case ended(String)
  }

  /// The first argument of the child.
  static let argument = "decode-picture"

  var program: String

  /// - Parameter program: the program to start; `nil` for the running one.
  init(program: String? = nil) {
    self.program = program ?? Self.ownPath
  }

  private static let ownPath: String = {
    #if os(Linux)
      // The file may have been replaced since the start.
      return "/proc/self/exe"
    #else
      return Bundle.main.executablePath ?? CommandLine.arguments[0]
    #endif
  }()

  /// Time limit, which includes waiting for a busy machine.
  private static let timeout = Duration.seconds(20)
  /// Niceness of the child, so that input has priority if there are few processors.
  private static let niceness: Int32 = 5
  private static let replyHead = 24

  /// Returns the picture, scaled down to fit.
  /// - Parameters:
  ///   - width: the width in pixels, from 1 to 4,096; `height` likewise.
  func decode(
    _ bytes: [UInt8], width: Int, height: Int
  ) async throws(Failure) -> PixelImage {
    let most = Int(WEIR_PICTURE_MOST_SIDE)
    let (width, height) = (min(max(1, width), most), min(max(1, height), most))
    guard bytes.count <= Int(WEIR_PICTURE_MOST_BYTES) else { throw .tooLarge }
    let orientation = PictureOrientation(of: bytes)
    let sides = orientation.swapsSides ? [height, width] : [width, height]
    var request = Array("WPIC".utf8)
    for number in sides + [bytes.count] { request += Self.bytes(of: number) }
    request += bytes
    let runner = ProgramRunner(
      timeout: Self.timeout, outputLimit: Self.replyHead + width * height * 4,
      niceness: Self.niceness)
    let reply: [UInt8]
    do throws(ProgramRunner.Failure) {
      // The environment may contain secrets.
      reply = try await runner.output(
        of: [program, Self.argument], input: request, environment: [])
    } catch {
      throw .ended(DetailWording.words(error.detail))
    }
    return try Self.image(in: reply).upright(orientation)
  }

  private static func image(in reply: [UInt8]) throws(Failure) -> PixelImage {
    guard reply.count >= replyHead, reply.starts(with: "WPIX".utf8) else {
      throw .ended("no reply")
    }
    switch weir_picture_end(UInt32(number(in: reply, at: 4))) {
    case WEIR_PICTURE_DECODED: break
    case WEIR_PICTURE_UNKNOWN: throw .unknownKind
    case WEIR_PICTURE_TOO_LARGE: throw .tooLarge
    case WEIR_PICTURE_NO_MEMORY: throw .ended("out of memory")
    default: throw .damaged
    }
    let image = PixelImage(
      width: number(in: reply, at: 16), height: number(in: reply, at: 20),
      bytes: Array(reply[replyHead...]))
    guard let image else { throw .ended("half a reply") }
    return image
  }

  private static func bytes(of number: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  private static func number(in bytes: [UInt8], at place: Int) -> Int {
    (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
  }
}

enum PictureChild {
  static var isWanted: Bool {
    CommandLine.argc > 1
      && CommandLine.unsafeArgv[1].map { strcmp($0, PictureDecoder.argument) == 0 } == true
  }

  static func run() -> Never { _exit(weir_picture_child()) }
}

/// Encodes decoded pixels, so that no byte of a feed's file reaches the terminal's decoder.
enum PictureEncoder {
  @Sendable static func png(_ image: PixelImage) -> [UInt8]? {
    bytes { weir_picture_png(image.bytes, UInt32(image.width), UInt32(image.height), $0) }
  }

  /// The quality of JPEG files: photographs look as before, at a tenth of their size as PNG.
  private static let quality: Int32 = 82

  /// Encodes a picture without regard to its alpha.
  static func jpeg(_ image: PixelImage) -> [UInt8]? {
    bytes {
      weir_picture_jpeg(image.bytes, UInt32(image.width), UInt32(image.height), quality, $0)
    }
  }

  /// Copies and frees a file of C.
  /// - Parameter encode: stores the file's length; returns `nil` if it fails.
  private static func bytes(
    _ encode: (_ length: UnsafeMutablePointer<Int>) -> UnsafeMutablePointer<UInt8>?
  ) -> [UInt8]? {
    var length = 0
    guard let file = encode(&length) else { return nil }
    defer { free(file) }
    return Array(UnsafeBufferPointer(start: file, count: length))
  }
}

extension PixelImage {
  func upright(_ orientation: PictureOrientation) -> PixelImage {
    if orientation == .upright { return self }
    let (source, target) = (
      (width: width, height: height),
      orientation.swapsSides ? (width: height, height: width) : (width: width, height: height)
    )
    let turned = [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
      bytes.withUnsafeBufferPointer { old in
        for y in 0..<target.height {
          for x in 0..<target.width {
            let (column, row) = orientation.source(x, y, of: source)
            let (from, to) = ((row * source.width + column) * 4, (y * target.width + x) * 4)
            for part in 0..<4 { buffer[to + part] = old[from + part] }
          }
        }
      }
      count = bytes.count
    }
    return PixelImage(width: target.width, height: target.height, bytes: turned) ?? self
  }
}

extension PictureOrientation {
  /// Returns the position, in a file of this size, of the pixel that is shown at (x, y).
  fileprivate func source(
    _ x: Int, _ y: Int, of size: (width: Int, height: Int)
  ) -> (column: Int, row: Int) {
    let (right, bottom) = (size.width - 1, size.height - 1)
    return switch self {
    case .upright: (x, y)
    case .mirrored: (right - x, y)
    case .turnedHalf: (right - x, bottom - y)
    case .flipped: (x, bottom - y)
    case .transposed: (y, x)
    case .turnedRight: (y, bottom - x)
    case .transversed: (right - y, bottom - x)
    case .turnedLeft: (right - y, x)
    }
  }
}
