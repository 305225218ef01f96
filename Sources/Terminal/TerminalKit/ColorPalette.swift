/// A reduced palette for a picture: median cut (Heckbert, "Color image quantization for frame
/// buffer display", SIGGRAPH 1982) of 15-bit colours.
struct ColorPalette {
  struct Entry: Equatable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8
  }

  private(set) var colors: [Entry] = []
  /// Indexes into `colors`, by 15-bit colour.
  private var places = [UInt8](repeating: 0, count: 1 << 15)

  /// The number of pixels of a 15-bit colour, and the sums of their components.
  private struct Bin {
    var code: Int
    var count = 0
    var sums = (0, 0, 0)
    func part(_ axis: Int) -> Int { code >> (10 - 5 * axis) & 31 }
  }

  private struct Box {
    var bins: ArraySlice<Bin>
    var axis = 0
    var weight = 0

    init(_ bins: ArraySlice<Bin>) {
      self.bins = bins
      let count = bins.reduce(0) { $0 + $1.count }
      for axis in 0..<3 where bins.count > 1 {
        var (low, high) = (31, 0)
        for bin in bins {
          low = min(low, bin.part(axis))
          high = max(high, bin.part(axis))
        }
        let found = (high - low) * count
        if found > weight { (self.axis, weight) = (axis, found) }
      }
    }
  }

  init(_ pixels: ScaledPixels, limit: Int) {
    var boxes = [Box(Self.bins(of: pixels)[...])]
    guard !boxes[0].bins.isEmpty else { return }
    while boxes.count < limit {
      guard let largest = boxes.indices.max(by: { boxes[$0].weight < boxes[$1].weight }),
        boxes[largest].weight > 0
      else { break }
      let (low, high) = Self.halves(of: boxes[largest])
      boxes[largest] = Box(low)
      boxes.append(Box(high))
    }
    for (place, box) in boxes.enumerated() {
      let count = max(1, box.bins.reduce(0) { $0 + $1.count })
      func mean(_ sum: (Bin) -> Int) -> UInt8 {
        UInt8(min(255, box.bins.reduce(0) { $0 + sum($1) } / count))
      }
      colors.append(Entry(red: mean(\.sums.0), green: mean(\.sums.1), blue: mean(\.sums.2)))
      for bin in box.bins { places[bin.code] = UInt8(place) }
    }
  }

  func indices(of pixels: ScaledPixels, clear: UInt8) -> [UInt8] {
    (0..<pixels.width * pixels.height).map { pixel in
      pixels.isOpaque(pixel) ? places[Self.code(pixels.bytes, pixel)] : clear
    }
  }

  private static func code(_ bytes: [UInt8], _ pixel: Int) -> Int {
    Int(bytes[pixel * 4] >> 3) << 10 | Int(bytes[pixel * 4 + 1] >> 3) << 5
      | Int(bytes[pixel * 4 + 2] >> 3)
  }

  private static func bins(of pixels: ScaledPixels) -> [Bin] {
    var bins = (0..<1 << 15).map { Bin(code: $0) }
    for pixel in 0..<pixels.width * pixels.height where pixels.isOpaque(pixel) {
      let code = code(pixels.bytes, pixel)
      bins[code].count += 1
      bins[code].sums.0 += Int(pixels.bytes[pixel * 4])
      bins[code].sums.1 += Int(pixels.bytes[pixel * 4 + 1])
      bins[code].sums.2 += Int(pixels.bytes[pixel * 4 + 2])
    }
    return bins.filter { $0.count > 0 }
  }

  /// Splits a box at the median pixel.
  private static func halves(of box: Box) -> (ArraySlice<Bin>, ArraySlice<Bin>) {
    let sorted = sorted(box.bins, by: box.axis)
    let half = sorted.reduce(0) { $0 + $1.count } / 2
    var (cut, passed) = (0, 0)
    while cut < sorted.count - 1, cut == 0 || passed + sorted[cut].count <= half {
      passed += sorted[cut].count
      cut += 1
    }
    return (sorted[..<cut], sorted[cut...])
  }

  /// Sorts by one component, then by all three from red to blue. Uses a counting sort, since
  /// components have only 32 values.
  private static func sorted(_ bins: ArraySlice<Bin>, by axis: Int) -> [Bin] {
    var (sorted, next) = (Array(bins), Array(bins))
    for part in axis == 0 ? [2, 1, 0] : [2, 1, 0, axis] {
      var places = [Int](repeating: 0, count: 33)
      for bin in sorted { places[bin.part(part) + 1] += 1 }
      for value in 1...32 { places[value] += places[value - 1] }
      for bin in sorted {
        let value = bin.part(part)
        next[places[value]] = bin
        places[value] += 1
      }
      swap(&sorted, &next)
    }
    return sorted
  }
}
