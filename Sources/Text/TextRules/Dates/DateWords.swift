internal import Foundation

/// A bit set of languages, in the order of `DateNames`.
typealias DateLanguages = UInt64

struct DateMeaning: Equatable {
  enum Kind { case month, persianMonth, weekday, morning, afternoon }

  var kind: Kind
  /// A month from 1, or a weekday from 0 for Sunday.
  var value: Int
  var languages: DateLanguages
}

/// Words of dates in all languages. Loaded once, for the first date that is not English.
struct DateWords: Sendable {
  static let shared = DateWords()

  private var meanings: [String: [DateMeaning]] = [:]
  private let sorted: [String]
  private(set) var withDayDot: DateLanguages = 0
  private(set) var withYearDot: DateLanguages = 0
  let vietnamese: DateLanguages

  /// Names of months and weekdays in the languages of feeds (Unicode CLDR), written by `make
  /// date-names`. Each `=LANGUAGE` precedes twelve months, seven weekdays from Sunday, and the
  /// signs of morning and afternoon. `=LANGUAGE.` writes a dot after the day, `=LANGUAGE..` also
  /// after the year. `=persian` precedes the months of the Solar Hijri calendar. Commas separate
  /// spellings.
  private static var names: String {
    String(decoding: PackageResources.date_names_txt, as: UTF8.self)
  }

  /// Spellings missing in Unicode CLDR, in the form of `names`.
  private static let others = """
    =vi tháng_một,tháng_giêng tháng_hai tháng_ba tháng_tư tháng_năm tháng_sáu tháng_bảy tháng_tám
    tháng_chín tháng_mười tháng_mười_một tháng_mười_hai,tháng_chạp - - - - - - - - -
    =de - - mrz - - - - - - - - - - - - - - - - - -
    =es - - - - - - - - setiembre,set - - - - - - - - - - - -
    =id - - - - - - - agt - - - - - - - - - - - - -
    =bg ян - - - - - - - - - - - - - - - - - - - -
    =he - - מרס - - - - - - - - - - - - - - - - - -
    =hi - - - - - - - - सितम्बर अक्टूबर नवम्बर दिसम्बर - - - - - - - - -
    =fa - - - - می - جولای آگوست - - - - - - - - - - - ق_ظ ب_ظ
    =ar - - - - - - - - - - - - - - - - - - - ص م
    """

  private init() {
    var table: [String: [DateMeaning]] = [:]
    var (codes, dots, yearDots) = ([String](), DateLanguages(0), DateLanguages(0))
    for source in [Self.names, Self.others] {
      var language: DateLanguages = 0
      var (place, isPersian) = (0, false)
      // Folds all names as one text, ten times faster than name by name.
      let folded = DateText.fold(source, apostrophe: "_")
      for word in folded.utf8.split(whereSeparator: \.isSpace) {
        if word.first == UInt8(ascii: "=") {
          let code = String(Substring(word.dropFirst().prefix { $0 != UInt8(ascii: ".") }))
          isPersian = code == "persian"
          let index = codes.firstIndex(of: code) ?? codes.count
          if index == codes.count { codes.append(code) }
          (language, place) = (1 << DateLanguages(index), 0)
          let dotCount = word.count { $0 == UInt8(ascii: ".") }
          if dotCount > 0 { dots |= language }
          if dotCount > 1 { yearDots |= language }
          continue
        }
        for spelling in word.split(separator: UInt8(ascii: ",")) where spelling.count > 1 {
          let key = Self.key(spelling)
          Self.add(Self.meaning(place, language, isPersian), to: &table[key, default: []])
        }
        place += 1
      }
    }
    (meanings, withDayDot, withYearDot) = (table, dots, yearDots)
    vietnamese = 1 << DateLanguages(codes.firstIndex(of: "vi") ?? 63)
    sorted = table.keys.sorted()
  }

  /// Returns the form of a spelling in texts: spaces for `_`, without full stops and joiners.
  private static func key(_ spelling: Substring.UTF8View.SubSequence) -> String {
    var bytes: [UInt8] = []
    for byte in spelling where byte != UInt8(ascii: ".") {
      bytes.append(byte == UInt8(ascii: "_") ? 0x20 : byte)
      // The characters U+200C and U+200D, E2 80 8C and 8D, only affect shaping.
      if bytes.count >= 3, bytes.suffix(3).starts(with: [0xE2, 0x80]), byte & 0xFE == 0x8C {
        bytes.removeLast(3)
      }
    }
    while bytes.last == 0x20 { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func meaning(
    _ place: Int, _ language: DateLanguages, _ isPersian: Bool
  ) -> DateMeaning {
    switch place {
    case 0..<12:
      DateMeaning(kind: isPersian ? .persianMonth : .month, value: place + 1, languages: language)
    case 12..<19: DateMeaning(kind: .weekday, value: place - 12, languages: language)
    default:
      DateMeaning(kind: place == 19 ? .morning : .afternoon, value: 0, languages: language)
    }
  }

  private static func add(_ meaning: DateMeaning, to meanings: inout [DateMeaning]) {
    if let known = meanings.firstIndex(where: {
      $0.kind == meaning.kind && $0.value == meaning.value
    }) {
      meanings[known].languages |= meaning.languages
    } else {
      meanings.append(meaning)
    }
  }

  /// Returns the meanings of a whole word.
  subscript(word: String) -> [DateMeaning] {
    if let found = meanings[word] { return found }
    // Hebrew joins "in" to the month.
    return word.hasPrefix("\u{5D1}") ? meanings[String(word.dropFirst())] ?? [] : []
  }

  /// Returns months and weekdays that begin with a word of at least three letters.
  func meanings(ofPrefix word: String) -> [DateMeaning] {
    guard word.unicodeScalars.count >= 3 else { return [] }
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < word { low = middle + 1 } else { high = middle }
    }
    var found: [DateMeaning] = []
    for key in sorted[low...].prefix(while: { $0.hasPrefix(word) }) {
      for meaning in meanings[key] ?? []
      where meaning.kind == .month || meaning.kind == .weekday {
        Self.add(meaning, to: &found)
      }
    }
    return found
  }
}

/// English names of months and weekdays, without a table.
enum EnglishNames {
  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ].map { Array($0.utf8) }

  private static let others: [[UInt8]] = [
    "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
  ].map { Array($0.utf8) }

  /// Returns a month by its name or at least three first letters.
  static func month(_ word: [UInt8]) -> Int? {
    guard word.count >= 3 else { return nil }
    return months.firstIndex { $0[1] == word[1] && $0.starts(with: word) }.map { $0 + 1 }
  }

  /// Returns a month misspelt between its first three letters and its last two.
  static func misspelledMonth(_ word: [UInt8]) -> Int? {
    guard word.count > 5 else { return nil }
    return months.firstIndex {
      $0.starts(with: word.prefix(3)) && $0.suffix(2) == word.suffix(2)
    }.map { $0 + 1 }
  }

  static func isWeekday(_ word: [UInt8]) -> Bool {
    word.count >= 3 && others.contains { $0[1] == word[1] && $0.starts(with: word) }
  }
}
