// Names that dates are written with.

/// Names of months: English by its first three letters, and the forms that other languages of feeds
/// use, in lower case.
enum Months {
  static func month(_ word: [UInt8]) -> Int? {
    // Three letters settle it, so that "Sept" and misspellings are understood as well.
    if word.count >= 3, let month = english(word[0], word[1], word[2]) { return month }
    return others[String(decoding: word, as: UTF8.self)]
  }

  private static func english(_ a: UInt8, _ b: UInt8, _ c: UInt8) -> Int? {
    let key = UInt32(a) << 16 | UInt32(b) << 8 | UInt32(c)
    return keys.firstIndex(of: key).map { $0 + 1 }
  }

  private static let names: [[UInt8]] = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ].map { Array($0.utf8) }

  private static let keys: [UInt32] = names.map {
    UInt32($0[0]) << 16 | UInt32($0[1]) << 8 | UInt32($0[2])
  }

  private static let others: [String: Int] = {
    let words: [[String]] = [
      [
        "januar", "janvier", "janv", "enero", "ene", "gennaio", "gen", "januari", "janeiro",
        "jänner", "styczeń", "stycznia", "sty", "ιαν", "янв", "января",
      ],
      [
        "februar", "février", "févr", "fév", "febrero", "febbraio", "februari", "fevereiro", "fev",
        "luty", "lutego", "lut", "φεβ", "фев", "февраля",
      ],
      [
        "märz", "mär", "mrz", "mars", "marzo", "maart", "mrt", "março", "marzec", "marca", "μάρ",
        "μαρ", "мар", "марта",
      ],
      [
        "avril", "avr", "abril", "abr", "aprile", "kwiecień", "kwietnia", "kwi", "απρ", "апр",
        "апреля",
      ],
      [
        "mai", "mayo", "maggio", "mag", "mei", "maio", "maj", "maja", "μάι", "μαϊ", "μαι", "май",
        "мая",
      ],
      [
        "juni", "juin", "junio", "giugno", "giu", "junho", "czerwiec", "czerwca", "cze", "ιούν",
        "ιουν", "июн", "июня",
      ],
      [
        "juli", "juillet", "juil", "julio", "luglio", "lug", "julho", "lipiec", "lipca", "lip",
        "ιούλ", "ιουλ", "июл", "июля",
      ],
      [
        "août", "aout", "agosto", "ago", "augustus", "sierpień", "sierpnia", "sie", "αύγ", "αυγ",
        "авг", "августа",
      ],
      [
        "septembre", "septiembre", "settembre", "set", "setembro", "wrzesień", "września", "wrz",
        "σεπ", "сен", "сентября",
      ],
      [
        "oktober", "okt", "octobre", "octubre", "ottobre", "ott", "outubro", "out", "październik",
        "października", "paź", "οκτ", "окт", "октября",
      ],
      [
        "novembre", "noviembre", "novembro", "listopad", "listopada", "lis", "νοέ", "νοε", "ноя",
        "ноября",
      ],
      [
        "dezember", "dez", "décembre", "déc", "diciembre", "dic", "dicembre", "dezembro",
        "grudzień", "grudnia", "gru", "δεκ", "дек", "декабря",
      ],
    ]
    var table: [String: Int] = [:]
    for (index, list) in words.enumerated() {
      for word in list { table[word] = index + 1 }
    }
    return table
  }()
}

/// Names of time zones: those of RFC 822, and the ones that feeds of other continents use.
enum Zones {
  /// Seconds east of Greenwich; `word` in lower case.
  static func offset(_ word: [UInt8]) -> Int? {
    guard word.count >= 1, word.count <= 5 else { return nil }
    return table[String(decoding: word, as: UTF8.self)].map { Int($0 * 3600) }
  }

  private static let table: [String: Double] = [
    "ut": 0, "utc": 0, "gmt": 0, "z": 0, "wet": 0, "west": 1, "bst": 1, "ist": 5.5,
    "cet": 1, "cest": 2, "met": 1, "mest": 2, "mez": 1, "mesz": 2, "eet": 2, "eest": 3,
    "msk": 3, "msd": 4, "sast": 2, "pkt": 5, "wib": 7, "ict": 7, "sgt": 8, "hkt": 8, "awst": 8,
    "jst": 9, "kst": 9, "acst": 9.5, "acdt": 10.5, "aest": 10, "aedt": 11, "nzst": 12,
    "nzdt": 13, "nst": -3.5, "ndt": -2.5, "brt": -3, "art": -3, "ast": -4, "adt": -3,
    "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7,
    "akst": -9, "akdt": -8, "hst": -10,
    // Written without saying whether it is summer: standard time.
    "at": -4, "et": -5, "ct": -6, "mt": -7, "pt": -8,
  ]
}
