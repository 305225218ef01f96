/// A cell as a surface keeps it: without references, so that a screen is copied, compared and freed
/// as plain memory. Texts of several scalars and links are in tables of the surface.
struct StoredCell {
  /// The only scalar of the text; 0: there is none; from `firstPlace` on, a place in the table of
  /// texts.
  var text: UInt32 = 0x20
  /// A place in the table of links, counted from 1; 0: none.
  var link: UInt32 = 0
  var style = Style.plain

  /// Beyond all scalars.
  static let firstPlace: UInt32 = 0x110000

  /// The place of a text of several scalars.
  var place: Int? { text < Self.firstPlace ? nil : Int(text - Self.firstPlace) }
  /// Whether this is the second column of a wide cluster.
  var isSecondHalf: Bool { text == 0 }
}
