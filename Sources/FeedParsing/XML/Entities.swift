internal import CLibXML2

/// The named characters of HTML, for feeds that use them without declaring them.
struct Entities {
  /// Names asked for so far: libxml2's table is searched line by line.
  private var known: [[UInt8]: [UInt8]] = [:]

  /// The character of a name, in UTF-8; nil for names that HTML 4 does not have.
  mutating func character(_ name: ArraySlice<UInt8>) -> [UInt8]? {
    guard name.count >= 2, name.count <= 8 else { return nil }
    let key = Array(name)
    if let found = known[key] { return found.isEmpty ? nil : found }
    var found: [UInt8] = []
    if let entry = htmlEntityLookup(key + [0]), let scalar = Unicode.Scalar(entry.pointee.value) {
      found = Array(String(Character(scalar)).utf8)
    }
    if known.count < 1024 { known[key] = found }
    return found.isEmpty ? nil : found
  }
}
