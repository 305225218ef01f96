/// A stored cell without references, so that screens are copied, compared and freed as plain
/// memory. The surface has tables for longer texts and links.
struct StoredCell {
  /// The scalar of the text; 0 for none; from `firstPlace`, an index into the table of texts.
  var text: UInt32 = 0x20
  /// An index into the table of links, from 1; 0 if there is no link.
  var link: UInt32 = 0
  var style = Style.plain

  /// The first value above all scalars.
  static let firstPlace: UInt32 = 0x110000

  /// The index of a text of several scalars; `nil` for one scalar.
  var place: Int? { text < Self.firstPlace ? nil : Int(text - Self.firstPlace) }
  /// True in the second column of a wide cluster.
  var isSecondHalf: Bool { text == 0 }
}
