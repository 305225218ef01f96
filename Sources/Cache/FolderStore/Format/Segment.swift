/// The name of a segment file: `s-000041-000058-HASH.jsonl` contains the entries 41 to 58, and
/// `c-000040-HASH.jsonl` the newest value of each field up to entry 40.
package struct SegmentName: Hashable, Sendable {
  /// The numbers of the entries in the file; for a compacted file, those that it replaces.
  package let range: ClosedRange<UInt64>
  package let isCompacted: Bool
  /// The hash of all lines before the last.
  package let hash: UInt64

  package init(_ range: ClosedRange<UInt64>, isCompacted: Bool = false, hash: UInt64) {
    (self.range, self.isCompacted, self.hash) = (range, isCompacted, hash)
  }

  /// Returns `nil` for names of other files, for example conflict copies and temporary files.
  package init?(_ text: String) {
    let parts = text.utf8.prefix(64).split { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
      .map { String(Substring($0)) }
    guard parts.count >= 4, let first = UInt64(parts[1]),
      let last = parts[0] == "c" ? first : UInt64(parts[2]),
      let hash = DeviceID(text: parts[parts.count - 2])?.rawValue, first >= 1, first <= last,
      last <= Limits.number
    else { return nil }
    self.init(parts[0] == "c" ? 1...last : first...last, isCompacted: parts[0] == "c", hash: hash)
    guard self.text == text else { return nil }
  }

  package var text: String {
    func digits(_ number: UInt64) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, 6 - text.utf8.count)) + text
    }
    let start = isCompacted ? "c" : "s-" + digits(range.lowerBound)
    return "\(start)-\(digits(range.upperBound))-\(DeviceID(rawValue: hash).text).jsonl"
  }
}

/// The progress of a device at the time it wrote a file.
package struct ProgressReport: Sendable, Equatable {
  /// For each other device, the number up to which all of its entries have arrived.
  package var have: [DeviceID: UInt64]
  /// The digest of the merged state; `nil` while entries are missing in between, because the state
  /// then depends on more than `have`.
  package var digest: StateDigest?

  package init(have: [DeviceID: UInt64] = [:], digest: StateDigest? = nil) {
    (self.have, self.digest) = (have, digest)
  }

  /// Parses the second-last line of a file. Skips invalid values.
  package init(line: some Collection<UInt8>) {
    let members = JSONValue(line)?.members ?? [:]
    (have, digest) = ([:], StateDigest(text: members["digest"]?.text))
    for (text, value) in (members["have"]?.members ?? [:]) where have.count < 100 {
      if let device = DeviceID(text: text), let number = value.members?["to"]?.integer {
        have[device] = UInt64(max(0, number))
      }
    }
  }

  package var line: [UInt8] {
    let have = have.map { ($0.text, JSONValue.object(["to": .integer(Int64($1))])) }
    let digest = digest.map { [("digest", JSONValue.string($0.text))] } ?? []
    return JSONValue.line([("have", .object(Dictionary(uniqueKeysWithValues: have)))] + digest)
  }
}

/// The reason that a file cannot be read. Raw values are stored.
package enum SegmentProblem: String, Error, Sendable {
  /// The file is truncated or damaged, or is still being copied.
  case incomplete
  /// A format of a later version.
  case otherFormat
  /// The file or a line is too large, its content is not in the format, it has the name of another
  /// one, or it is no file.
  case malformed
  /// Something else has the place of the device's directory, or it cannot be read.
  case unreadable
  /// Entries are dated more than a day ahead; the others were read.
  case ahead
}

package enum SegmentWriter {
  /// Returns the name and bytes of a file with the first entries, as many as fit.
  /// - Parameter compacted: for a compacted file, the number up to which `entries` have the newest
  ///   values; all of them are written. `nil` for new entries.
  package static func file(
    _ entries: [Entry], compacted: UInt64? = nil, of device: DeviceID, named name: String,
    _ report: ProgressReport
  ) -> (name: SegmentName, bytes: [UInt8]) {
    let first = compacted == nil ? entries.first?.number ?? 1 : 1
    var (lines, count, last): ([UInt8], Int, UInt64) = ([], 0, compacted ?? first)
    for entry in entries {
      let line = entry.line
      // Reserves room for the other lines.
      if compacted == nil, lines.count + line.count > Limits.segment - 8_192 { break }
      lines += line
      (count, last) = (count + 1, compacted ?? entry.number)
    }
    var out = JSONValue.line([
      ("weir", .integer(SegmentReader.format)), ("device", .string(device.text)),
      ("name", .string(String(name.prefix(100)))), ("from", .integer(Int64(first))),
      ("to", .integer(Int64(last))),
    ])
    out += lines
    out += report.line
    let hash = XXH64.hash(out)
    out += JSONValue.line([
      ("end", .integer(Int64(count))), ("xxh64", .string(DeviceID(rawValue: hash).text)),
    ])
    return (SegmentName(first...last, isCompacted: compacted != nil, hash: hash), out)
  }
}

/// Reads a file of entries, one at a time. Any bytes yield entries or a problem; memory beyond the
/// bytes is bounded by a line.
package struct SegmentReader: Sendable {
  static let format: Int64 = 1

  package let name: SegmentName
  package let deviceName: String
  package private(set) var report = ProgressReport()
  private let bytes: [UInt8]
  private var rest: Range<Int>
  private var previous: UInt64

  /// Checks the frame of a file: its header, its length and its hash.
  package init(
    _ bytes: [UInt8], named name: SegmentName, of device: DeviceID
  ) throws(SegmentProblem) {
    guard bytes.count <= (name.isCompacted ? Limits.compacted : Limits.segment) else {
      throw .malformed
    }
    let start = (bytes.prefix(Limits.line).firstIndex(of: 0x0A) ?? -1) + 1
    let header = JSONValue(bytes[..<start])?.members
    if let format = header?["weir"]?.integer, format != Self.format { throw .otherFormat }
    let frame = try Frame(bytes)
    let ending = JSONValue(bytes[frame.last...])?.members
    guard bytes.last == 0x0A, let hash = DeviceID(text: ending?["xxh64"]?.text)?.rawValue,
      hash == name.hash, hash == XXH64.hash(bytes[..<frame.last])
    else { throw .incomplete }
    let count = frame.lines - 3
    guard let header, count >= 0, ending?["end"]?.integer == Int64(count),
      header["device"]?.text == device.text,
      header["from"]?.integer == Int64(name.range.lowerBound),
      header["to"]?.integer == Int64(name.range.upperBound),
      name.isCompacted || count == name.range.count
    else { throw .malformed }
    (self.bytes, self.name) = (bytes, name)
    deviceName = String(header["name"]?.text?.prefix(100) ?? "")
    rest = start..<frame.secondToLast
    previous = name.range.lowerBound - 1
    report = ProgressReport(line: bytes[frame.secondToLast..<frame.last])
  }

  /// The places of the last two lines, and the number of lines.
  private struct Frame {
    var (lines, last, secondToLast) = (0, 0, 0)

    init(_ bytes: [UInt8]) throws(SegmentProblem) {
      var start = 0
      while start < bytes.count {
        let window = bytes[start..<min(bytes.count, start + Limits.line)]
        guard let end = window.firstIndex(of: 0x0A) else {
          // The end of a truncated file.
          throw window.endIndex == bytes.count ? .incomplete : .malformed
        }
        (secondToLast, last, lines) = (last, start, lines + 1)
        start = end + 1
      }
    }
  }

  /// Returns the next entry that may be applied, or the reason that a line was skipped; `nil` after
  /// the last.
  package mutating func next() -> Result<Entry, Rejection>? {
    guard let end = bytes[rest].firstIndex(of: 0x0A) else { return nil }
    let line = bytes[rest.lowerBound..<end]
    rest = (end + 1)..<rest.upperBound
    let lowest = previous + 1
    let highest = name.isCompacted ? name.range.upperBound : lowest
    if !name.isCompacted { previous = lowest }
    do throws(Rejection) {
      let entry = try Entry(line: line)
      guard entry.number >= lowest, entry.number <= highest else { throw .malformed }
      previous = entry.number
      return .success(try entry.admitted())
    } catch {
      return .failure(error)
    }
  }
}
