import FeedModel

/// The words of a date with their meanings, and the month that they allow.
struct DateNaming {
  private struct Name {
    var meanings: [DateMeaning]
    var isAfterNumber: Bool
    /// True for one or two ASCII letters, often not a name: "on", "la".
    var isShort = false

    var isWeekday: Bool { meanings.contains { $0.kind == .weekday } }
    var months: [DateMeaning] {
      meanings.filter { $0.kind == .month || $0.kind == .persianMonth }
    }
  }

  /// A possible word for the month.
  private struct Candidate {
    var month: DateMeaning
    /// The month's languages in which the other words are weekdays.
    var languages: DateLanguages
    var agreesWithWeekdays: Bool
    /// Weekdays in those languages, from 0 for Sunday.
    var weekdays: Set<Int>
    var isAfterNumber: Bool
  }

  private let words: [DateWord]
  private let numbers: DateReader.Numbers
  private let names: [Name]
  private let englishMonth: Int?

  init(_ words: [DateWord], numbers: DateReader.Numbers, reader: DateReader) {
    (self.words, self.numbers) = (words, numbers)
    let months = words.compactMap { EnglishNames.month($0.text) }
    let isEnglish = words.allSatisfy {
      EnglishNames.month($0.text) != nil || EnglishNames.isWeekday($0.text) || $0.text.count == 1
    }
    if isEnglish, months.count <= 1, numbers.pair == nil {
      englishMonth = months.first
      names = []
    } else {
      englishMonth = nil
      names = Self.names(of: words)
    }
  }

  /// Sets the values that words and order determine. Returns false if they do not form one date.
  func resolve(_ reader: inout DateReader) -> Bool {
    if let pair = numbers.pair { return resolve(pair, &reader) }
    if reader.month != nil { return true }
    if let englishMonth {
      reader.month = englishMonth
      return true
    }
    guard let year = reader.year, let day = reader.day,
      let month = month(year: year, day: day, reader)
        ?? (names.contains { !$0.months.isEmpty } ? nil : misspelledMonth)
    else { return false }
    reader.month = month.value
    if month.kind == .persianMonth {
      reader.calendar = year < 1_500 ? .persian : .unknown
    }
    return true
  }

  private var misspelledMonth: DateMeaning? {
    let found = Set(words.compactMap { EnglishNames.misspelledMonth($0.text) })
    guard found.count == 1, let month = found.first else { return nil }
    return DateMeaning(kind: .month, value: month, languages: 1)
  }

  // MARK: Meanings

  private static func names(of words: [DateWord]) -> [Name] {
    let table = DateWords.shared
    let texts = words.map { String(decoding: $0.text, as: UTF8.self) }
    var names: [Name] = []
    var index = 0
    while index < words.count {
      defer { index += 1 }
      if let month = words[index].month {
        let meaning = DateMeaning(kind: .month, value: month, languages: table.vietnamese)
        // The text `Th 3` is Tuesday as well.
        let isShort = texts[index] == "th"
        let weekday = DateMeaning(kind: .weekday, value: month - 1, languages: table.vietnamese)
        names.append(
          Name(
            meanings: [meaning] + (isShort && (2...7).contains(month) ? [weekday] : []),
            isAfterNumber: words[index].isAfterNumber))
        continue
      }
      for count in [3, 2, 1] where index + count <= words.count {
        guard words[(index + 1)..<(index + count)].allSatisfy(\.joinsPrevious) else { continue }
        let meanings = table[texts[index..<(index + count)].joined(separator: " ")]
        guard !meanings.isEmpty || count == 1 else { continue }
        names.append(
          Name(
            meanings: meanings.isEmpty ? table.meanings(ofPrefix: texts[index]) : meanings,
            isAfterNumber: words[index].isAfterNumber,
            isShort: count == 1 && words[index].text.count < 3))
        index += count - 1
        break
      }
    }
    return names
  }

  // MARK: The month

  private func month(year: Int, day: Int, _ reader: DateReader) -> DateMeaning? {
    var left = candidates()
    func narrow(_ isKept: (Candidate) -> Bool) {
      guard Set(left.map(\.month.value)).count > 1 else { return }
      let kept = left.filter(isKept)
      if !kept.isEmpty { left = kept }
    }
    narrow(\.agreesWithWeekdays)
    if Set(left.map(\.month.value)).count > 1, left.contains(where: { !$0.weekdays.isEmpty }) {
      left = left.filter { candidate in
        Self.weekday(year, candidate.month.value, day, reader)
          .map(candidate.weekdays.contains) ?? false
      }
    }
    narrow(\.isAfterNumber)
    if left.allSatisfy({ $0.weekdays.isEmpty }) { narrow(hasDots) }
    return Set(left.map(\.month.value)).count == 1 ? left.first?.month : nil
  }

  private func candidates() -> [Candidate] {
    let names = names.filter { !$0.meanings.isEmpty }
    var found: [Candidate] = []
    for (index, name) in names.enumerated() {
      let others = names.indices.filter { $0 != index }.map { names[$0] }
      // A second month that cannot be a weekday is ambiguous.
      guard others.allSatisfy({ $0.months.isEmpty || $0.isWeekday }) else { continue }
      for month in name.months {
        var candidate = Candidate(
          month: month, languages: month.languages, agreesWithWeekdays: true, weekdays: [],
          isAfterNumber: name.isAfterNumber)
        for other in others where other.isWeekday {
          let days = other.meanings.filter {
            $0.kind == .weekday && $0.languages & candidate.languages != 0
          }
          let languages = days.reduce(0) { $0 | $1.languages }
          if languages == 0 {
            candidate.agreesWithWeekdays = false
          } else {
            candidate.languages &= languages
            candidate.weekdays.formUnion(days.map(\.value))
          }
        }
        found.append(candidate)
      }
    }
    return found
  }

  private static func weekday(_ year: Int, _ month: Int, _ day: Int, _ reader: DateReader) -> Int? {
    reader.text.calendar(.gregorian, ofYear: year).days(year: year, month: month, day: day).map {
      (($0 + 4) % 7 + 7) % 7
    }
  }

  /// Returns true if the full stops after day and year in the text fit the language.
  private func hasDots(_ candidate: Candidate) -> Bool {
    let table = DateWords.shared
    if numbers.hasYearDot { return candidate.languages & table.withYearDot != 0 }
    if numbers.hasDayDot { return candidate.languages & table.withDayDot != 0 }
    // Dates with abbreviated words may lack these full stops in every language.
    let isLong = words.contains { $0.text.count > 4 }
    return !isLong || candidate.languages & ~table.withDayDot != 0
  }

  // MARK: Day and month in numbers

  /// Decides between day and month by the weekday. Without it, slashes in Latin text leave the
  /// order open, unless a time by the 12-hour clock shows that of the United States; otherwise the
  /// day is first.
  private func resolve(
    _ pair: (first: Int, second: Int, separator: UInt8), _ reader: inout DateReader
  ) -> Bool {
    guard let year = reader.year else { return false }
    let orders = [(pair.second, pair.first), (pair.first, pair.second)].filter { $0.0 <= 12 }
    var left = pair.first == pair.second ? Array(orders.prefix(1)) : orders
    let weekdays = Set(
      names.filter { !$0.isShort }.flatMap(\.meanings).filter { $0.kind == .weekday }
        .map(\.value))
    if left.count > 1, !weekdays.isEmpty {
      left = left.filter { month, day in
        Self.weekday(year, month, day, reader).map(weekdays.contains) ?? false
      }
      guard left.count == 1 else { return false }
    }
    let isAmerican =
      pair.separator == UInt8(ascii: "/") && !reader.text.hasOtherDigits
      && !reader.text.hasOtherLetters && !reader.hasHourLetter
    guard !isAmerican || left.count == 1 || reader.hasHalf,
      let chosen = isAmerican ? left.last : left.first
    else { return false }
    (reader.month, reader.day) = chosen
    return true
  }

  // MARK: Morning and afternoon

  /// Returns true or false by words in the month's language; `nil` if there are none.
  func isAfternoon(_ reader: DateReader) -> Bool? {
    let months = names.flatMap(\.months).filter { $0.value == reader.month }
    let languages = months.reduce(0) { $0 | $1.languages }
    let signs = names.compactMap { name in
      name.meanings.first {
        ($0.kind == .morning || $0.kind == .afternoon)
          && (languages == 0 ? name.meanings.count == 1 : $0.languages & languages != 0)
      }
    }
    guard Set(signs.map { $0.kind == .afternoon }).count == 1 else { return nil }
    return signs.first.map { $0.kind == .afternoon }
  }
}
