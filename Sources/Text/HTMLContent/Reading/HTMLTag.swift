internal import TextRules

/// The known elements.
enum HTMLTag: UInt8, CaseIterable, Sendable {
  case unknown
  // HTML
  case a, abbr, acronym, address, applet, area, article, aside, audio, b, base, bdi, bdo, big
  case blockquote, body, br, button, canvas, caption, center, cite, code, col, colgroup, data
  case datalist, dd, del, details, dfn, dialog, dir, div, dl, dt, em, embed, fieldset, figcaption
  case figure, font, footer, form, frame, frameset, h1, h2, h3, h4, h5, h6, head, header, hgroup
  case hr, html, i, iframe, img, input, ins, kbd, label, legend, li, link, listing, main, map, mark
  case marquee, menu, meta, meter, nav, nobr, noembed, noframes, noscript, object, ol, optgroup
  case option, output, p, param, picture, plaintext, pre, progress, q, rb, rp, rt, rtc, ruby, s
  case samp, script, search, section, select, small, source, span, strike, strong, style, sub
  case summary, sup, table, tbody, td, template, textarea, tfoot, th, thead, time, title, tr, track
  case tt, u, ul, `var`, video, wbr, xmp
  // MathML
  case annotation, math, mfenced, mfrac, mi, mmultiscripts, mn, mo, mover, mpadded, mphantom, mroot
  case mrow, ms, mspace, msqrt, mstyle, msub, msubsup, msup, mtable, mtd, mtext, mtr, munder
  case munderover, semantics
  // SVG
  case circle, defs, desc, ellipse, foreignobject, g, line, marker, path, polygon, polyline, rect
  case svg, text, tspan

  var name: String { Self.names[Int(rawValue)] }
  var traits: HTMLTraits { Self.traitTable[Int(rawValue)] }

  private static let names = allCases.map { String(describing: $0) }
  static let byName = Table()

  struct Table: Sendable {
    private let names = NameTable(allCases.dropFirst().map(\.name))

    subscript(name: PackedName) -> HTMLTag? {
      names.place(of: name).flatMap { HTMLTag(rawValue: UInt8($0 + 1)) }
    }
  }

  private static let traitTable: [HTMLTraits] = {
    var table = [HTMLTraits](repeating: [], count: allCases.count)
    func mark(_ traits: HTMLTraits, _ tags: [HTMLTag]) {
      for tag in tags { table[Int(tag.rawValue)].formUnion(traits) }
    }
    mark(
      .isVoid,
      [
        .area, .base, .br, .col, .embed, .frame, .hr, .img, .input, .link, .meta, .param, .source,
        .track, .wbr,
      ])
    mark(
      .closesParagraph,
      [
        .address, .article, .aside, .blockquote, .center, .dd, .details, .dialog, .dir, .div, .dl,
        .dt, .fieldset, .figcaption, .figure, .footer, .form, .h1, .h2, .h3, .h4, .h5, .h6,
        .header, .hgroup, .hr, .li, .listing, .main, .menu, .nav, .ol, .p, .plaintext, .pre,
        .search, .section, .summary, .table, .ul, .xmp,
      ])
    mark(
      .isBlock,
      [
        .address, .article, .aside, .blockquote, .body, .br, .caption, .center, .dd, .details,
        .dialog, .dir, .div, .dl, .dt, .fieldset, .figcaption, .figure, .footer, .form, .frameset,
        .h1, .h2, .h3, .h4, .h5, .h6, .head, .header, .hgroup, .hr, .html, .legend, .li, .listing,
        .main, .menu, .nav, .ol, .option, .p, .plaintext, .pre, .search, .section, .summary,
        .table, .tbody, .td, .tfoot, .th, .thead, .title, .tr, .ul, .xmp,
      ])
    mark(
      .isSpecial,
      [
        .article, .aside, .blockquote, .body, .caption, .center, .dd, .details, .dialog, .dir, .dl,
        .dt, .fieldset, .figcaption, .figure, .footer, .form, .h1, .h2, .h3, .h4, .h5, .h6,
        .header, .hgroup, .html, .li, .main, .menu, .nav, .object, .ol, .pre, .search, .section,
        .summary, .table, .tbody, .td, .template, .tfoot, .th, .thead, .tr, .ul,
      ])
    mark(.isScope, [.caption, .html, .object, .table, .td, .template, .th])
    mark(.isTablePart, [.caption, .colgroup, .table, .tbody, .td, .tfoot, .th, .thead, .tr])
    mark(.isHeading, [.h1, .h2, .h3, .h4, .h5, .h6])
    mark(
      .isFormatting,
      [
        .a, .abbr, .acronym, .b, .bdi, .big, .cite, .code, .del, .dfn, .em, .font, .i, .ins, .kbd,
        .label, .mark, .nobr, .q, .s, .samp, .small, .span, .strike, .strong, .sub, .sup, .time,
        .tt, .u, .var,
      ])
    mark(
      .isRawText,
      [.iframe, .noembed, .noframes, .script, .style, .textarea, .title, .xmp])
    mark(
      .isMath,
      [
        .math, .mfenced, .mfrac, .mi, .mmultiscripts, .mn, .mo, .mover, .mpadded, .mphantom,
        .mroot, .mrow, .ms, .mspace, .msqrt, .mstyle, .msub, .msubsup, .msup, .mtable, .mtd,
        .mtext, .mtr, .munder, .munderover, .semantics,
      ])
    mark(
      .isDrawing,
      [
        .circle, .defs, .desc, .ellipse, .g, .line, .marker, .path, .polygon, .polyline, .rect,
        .svg, .text, .tspan,
      ])
    return table
  }()
}

/// Properties for the structure of a document (WHATWG HTML §13.2.4.2, §13.2.6.4).
struct HTMLTraits: OptionSet, Sendable {
  let rawValue: UInt16
  /// Has no content and no end tag.
  static let isVoid = HTMLTraits(rawValue: 1 << 0)
  /// The start tag ends an open paragraph.
  static let closesParagraph = HTMLTraits(rawValue: 1 << 1)
  /// Separates words of the text around it.
  static let isBlock = HTMLTraits(rawValue: 1 << 2)
  /// Stops the search for an open list item.
  static let isSpecial = HTMLTraits(rawValue: 1 << 3)
  /// End tags inside do not close elements outside.
  static let isScope = HTMLTraits(rawValue: 1 << 4)
  static let isTablePart = HTMLTraits(rawValue: 1 << 5)
  static let isHeading = HTMLTraits(rawValue: 1 << 6)
  /// The element is inline, and its end tag must not end blocks inside.
  static let isFormatting = HTMLTraits(rawValue: 1 << 7)
  /// Contains no markup except its end tag.
  static let isRawText = HTMLTraits(rawValue: 1 << 8)
  static let isMath = HTMLTraits(rawValue: 1 << 9)
  static let isDrawing = HTMLTraits(rawValue: 1 << 10)
}
