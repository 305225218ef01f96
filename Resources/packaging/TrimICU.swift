// Writes a copy of ICU's data archive without what Weir does not use: other languages than English
// (the program speaks English), charset converters (iconv does that), transliteration, spelled-out
// numbers, rules and word lists for breaking lines (Weir measures text itself), and names and units
// of languages, regions and currencies. What is kept are collation, calendars, time zones, number
// symbols and Unicode properties.
//
// The format is ICU's common data package: a header whose first two bytes are its length, then a
// count, then for each item the offsets of its name and of its data, both from the count on; items
// are in the order of their names.
// https://unicode-org.github.io/icu/userguide/icu_data/
//
// usage: trim-icu IN OUT

import Foundation

struct Item {
  let name: String
  let bytes: Data
}

let unusedFolders: Set = ["translit", "rbnf", "curr", "lang", "region", "unit"]

func isKept(_ name: String) -> Bool {
  let parts = name.split(separator: "/").dropFirst()
  guard let file = parts.last, let dot = file.lastIndex(of: ".") else { return true }
  let stem = file[..<dot]
  switch file[dot...] {
  case ".cnv", ".dict", ".cfu", ".spp": return false
  case ".brk": return ["char", "word", "line", "sent"].contains(stem)
  case ".res":
    if let folder = parts.first, unusedFolders.contains(String(folder)) { return false }
    if ["langInfo", "units", "windowsZones"].contains(stem) { return false }
    let language = stem.prefix { $0 != "_" }
    let isLocale = (2...3).contains(language.utf8.count) && language.allSatisfy(\.isLowercase)
    return !isLocale || stem == "en" || stem == "en_US"
  default: return file != "unames.icu" && file != "cnvalias.icu"
  }
}

func read(_ archive: Data) -> (header: Data, items: [Item]) {
  func number<T: FixedWidthInteger>(_ offset: Int, as type: T.Type) -> Int {
    Int(archive[offset..<offset + MemoryLayout<T>.size].reversed().reduce(0) { $0 << 8 | T($1) })
  }
  let base = number(0, as: UInt16.self)
  precondition(archive[4 + 8..<4 + 12] == Data("CmnD".utf8), "no ICU data archive")
  let count = number(base, as: UInt32.self)
  let starts =
    (0..<count).map { base + number(base + 8 + 8 * $0, as: UInt32.self) } + [archive.count]
  let items = (0..<count).map { index in
    let name = archive[(base + number(base + 4 + 8 * index, as: UInt32.self))...].prefix { $0 != 0 }
    return Item(
      name: String(decoding: name, as: UTF8.self),
      bytes: archive[starts[index]..<starts[index + 1]])
  }
  return (archive[..<base], items)
}

func write(_ header: Data, _ items: [Item]) -> Data {
  func bytes(_ number: Int) -> Data { Data((0..<4).map { UInt8(number >> (8 * $0) & 0xFF) }) }
  var names = Data()
  var contents = Data()
  var places: [(name: Int, content: Int)] = []
  for item in items {
    places.append((names.count, contents.count))
    names += Data(item.name.utf8) + [0]
    contents += item.bytes
    contents += Data(count: -contents.count & 15)
  }
  let namesStart = 4 + 8 * items.count
  names += Data(count: -(namesStart + names.count) & 15)
  var archive = header + bytes(items.count)
  for place in places {
    archive += bytes(namesStart + place.name)
    archive += bytes(namesStart + names.count + place.content)
  }
  return archive + names + contents
}

let files = CommandLine.arguments.dropFirst().map { URL(filePath: $0) }
guard files.count == 2 else { fatalError("usage: trim-icu IN OUT") }
let (header, items) = read(try Data(contentsOf: files[0]))
try write(header, items.filter { isKept($0.name) }).write(to: files[1])
