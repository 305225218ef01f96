import FeedModel
import FolderStore

/// Properties of the files of a device in a shared folder that hold for any bytes. The input is
/// read as a whole file, and as the entries of one that is sealed as the format demands.
enum FolderPromises {
  private static let device = DeviceID(rawValue: 7)
  private static let last: UInt64 = 999_999
  private static let noon = Timestamp(milliseconds: 1_750_000_000_000)

  static func fault(in bytes: [UInt8]) -> String? {
    let names = [SegmentName(1...last, isCompacted: true, hash: 1), SegmentName(1...last, hash: 1)]
    for name in names { _ = try? SegmentReader(bytes, named: name, of: device) }
    let (file, name) = sealed(bytes)
    guard var reader = try? SegmentReader(file, named: name, of: device) else { return nil }
    var entries: [Entry] = []
    while let next = reader.next() {
      guard case .success(let entry) = next else { continue }
      entries.append(entry)
      if let fault = fault(of: entry) { return fault }
    }
    return fault(of: entries) ?? fault(of: Compaction.newest(entries, of: device))
  }

  /// Returns the file that has these lines as its entries.
  private static func sealed(_ bytes: [UInt8]) -> ([UInt8], SegmentName) {
    var file = Array(
      "{\"weir\":1,\"device\":\"\(device.text)\",\"name\":\"x\",\"from\":1,\"to\":\(last)}\n".utf8)
    file += bytes
    if file.last != 0x0A { file.append(0x0A) }
    let count = file.count { $0 == 0x0A } - 1
    file += ProgressReport().line
    let hash = file.withUnsafeBytes { XXH64.hash($0, seed: 0) }
    file += Array("{\"end\":\(count),\"xxh64\":\"\(DeviceID(rawValue: hash).text)\"}\n".utf8)
    return (file, SegmentName(1...last, isCompacted: true, hash: hash))
  }

  private static func fault(of entry: Entry) -> String? {
    let line = entry.line
    guard let again = try? Entry(line: line.dropLast()).admitted(), again == entry else {
      return "\(String(decoding: line, as: UTF8.self)) is not read as itself"
    }
    let early = entry.registers(from: device).filter { $0.value.stamp.time <= noon }
    let part = entry.upTo(noon)?.registers(from: device) ?? []
    return part.map(\.key) == early.map(\.key) ? nil : "\(entry) is not cut at a time"
  }

  private static func fault(of entries: [Entry]) -> String? {
    var registers: [RegisterKey: Register] = [:]
    for (key, value) in entries.flatMap({ $0.registers(from: device) })
    where value.replaces(registers[key]) {
      registers[key] = value
    }
    let state = MergedState(registers)
    for feed in state.feeds() {
      if feed.keys.count > Limits.keys { return "a feed with \(feed.keys.count) keys" }
      for text in [feed.address, feed.name].compactMap(\.self) + (feed.folder ?? []) {
        if text.unicodeScalars.contains(where: { $0.value < 0x20 }) {
          return "a control character in \(text.debugDescription)"
        }
      }
      if feed.options[.headers] ?? feed.options[.cookies] ?? feed.options[.proxy] != nil {
        return "a secret setting arrived"
      }
    }
    let aliases = state.missingAliases()
    return aliases.contains { $0.key == $0.value } ? "a key that is its own alias" : nil
  }
}
