import Foundation

/// Caches pictures as bytes, for terminals that draw them over cells.
final class OverlaidPictures {
  private struct Ready {
    var number: UInt32
    /// `nil` while being encoded.
    var picture: OverlaidPicture?
    var usedAt: Int
  }

  private var known: [TerminalPicture: Ready] = [:]
  private var byNumber: [UInt32: TerminalPicture] = [:]
  private var count: UInt32 = 0
  private var uses = 0
  private let png: @Sendable (PixelImage) -> [UInt8]?
  var onReady: () -> Void = {}

  init(png: @escaping @Sendable (PixelImage) -> [UInt8]?) { self.png = png }

  /// Bytes of all cached pictures, and of one.
  private static let mostKept = 32 << 20
  nonisolated private static let mostBytes = 4 << 20

  /// Returns the number of a picture; `nil` until the picture is encoded.
  /// - Parameter cell: the size of a cell in pixels, which sixels require.
  func number(of picture: TerminalPicture, as format: PictureProtocol?, cell: Size?) -> UInt32? {
    uses += 1
    if let ready = known[picture] {
      known[picture]?.usedAt = uses
      return ready.picture == nil ? nil : ready.number
    }
    guard format == .iterm || cell != nil else { return nil }
    let number = nextNumber()
    known[picture] = Ready(number: number, picture: nil, usedAt: uses)
    byNumber[number] = picture
    let png = png
    Task { [weak self] in
      let made = await Self.make(picture, cell, png: format == .iterm ? png : nil)
      guard let self, self.known[picture]?.number == number else { return }
      self.known[picture]?.picture = made
      self.makeRoom()
      self.onReady()
    }
    return nil
  }

  func picture(_ number: UInt32) -> OverlaidPicture? {
    byNumber[number].flatMap { known[$0]?.picture }
  }

  func removeAll() {
    known = [:]
    byNumber = [:]
  }

  private func nextNumber() -> UInt32 {
    let low = PicturePlaceholder.lowestByte
    let number = low.lowerBound + count % UInt32(low.count)
    let high = count / UInt32(low.count) % 200
    count += 1
    return high << 24 | number
  }

  /// Removes the least recently used pictures beyond `mostKept`.
  private func makeRoom() {
    var total = known.values.reduce(0) { $0 + ($1.picture?.bytes.count ?? 0) }
    while total > Self.mostKept, known.count > 1,
      let oldest = known.filter({ $0.value.picture != nil }).min(by: {
        $0.value.usedAt < $1.value.usedAt
      })
    {
      total -= oldest.value.picture?.bytes.count ?? 0
      known[oldest.key] = nil
      byNumber[oldest.value.number] = nil
    }
  }

  /// The priority of encoding, lower than that of input.
  nonisolated private static let niceness: Int32 = 5

  /// Encodes on another thread, since a large picture takes some milliseconds.
  @concurrent nonisolated private static func make(
    _ picture: TerminalPicture, _ cell: Size?, png: (@Sendable (PixelImage) -> [UInt8]?)?
  ) async -> OverlaidPicture {
    await withCheckedContinuation { continuation in
      let thread = Thread {
        // Linux counts by thread, others by process.
        #if os(Linux)
          setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
        #endif
        continuation.resume(returning: made(picture, cell, png: png))
      }
      thread.stackSize = 512 << 10
      thread.start()
    }
  }

  nonisolated private static func made(
    _ picture: TerminalPicture, _ cell: Size?, png: (@Sendable (PixelImage) -> [UInt8]?)?
  ) -> OverlaidPicture {
    let (image, columns, rows) = (picture.image, picture.columns, picture.rows)
    var bytes: [UInt8] = []
    if let png {
      if let file = png(image) {
        bytes = InlineImage.sequence(file, columns: columns, rows: rows)
      }
    } else if let cell {
      bytes = SixelEncoder.sequence(image, width: columns * cell.width, height: rows * cell.height)
    }
    if bytes.count > mostBytes { bytes = [] }
    return OverlaidPicture(
      columns: columns, rows: rows, bytes: bytes,
      cells: BlockArt.cells(image, columns: columns, rows: rows), isOpaque: image.isOpaque)
  }
}
