// Writes Sources/Text/TextRules/Dates/date-names.txt: names of months and weekdays, and the signs
// of morning and afternoon, out of the data of ICU (Unicode CLDR) that Foundation brings.
//
// usage: make date-names

import Foundation

let languages = [
  "en", "af", "ar", "ar_LB", "ar_MA", "ar_DZ", "az", "be", "bg", "bn", "bs", "ca", "cs", "da", "de",
  "de_AT", "el", "es", "et", "eu", "fa", "fi", "fil", "fr", "gl", "gu", "he", "hi", "hr", "hu",
  "hy",
  "id", "is", "it", "ka", "kk", "kn", "lt", "lv", "mk", "ml", "mr", "ms", "nb", "ne", "nl", "pl",
  "pt",
  "ro", "ru", "sk", "sl", "sq", "sr", "sr_Latn", "sv", "ta", "te", "th", "tr", "uk", "ur", "vi",
]

/// The spellings of one name as one word of the table: `janvier,janv`; `-` if there is none that
/// can be told from a number or an initial.
func word(_ names: [String]) -> String {
  var spellings: [String] = []
  for name in names {
    var text = name.lowercased()
    while text.hasSuffix(".") { text.removeLast() }
    text = text.split(whereSeparator: \.isWhitespace).joined(separator: "_")
    guard text.unicodeScalars.count > 1, !text.contains(where: { $0.isNumber || $0 == "," }) else {
      continue
    }
    if !spellings.contains(text) { spellings.append(text) }
  }
  return spellings.isEmpty ? "-" : spellings.joined(separator: ",")
}

/// The names of one day or month in each of some lists.
func words(_ lists: [[String]]) -> [String] {
  guard let first = lists.first else { return [] }
  return first.indices.map { index in word(lists.map { $0[index] }) }
}

func months(_ calendar: Calendar) -> [String] {
  words([
    calendar.monthSymbols, calendar.standaloneMonthSymbols, calendar.shortMonthSymbols,
    calendar.shortStandaloneMonthSymbols,
  ])
}

func shortest(_ locale: Locale) -> [String] {
  let formatter = DateFormatter()
  formatter.locale = locale
  formatter.timeZone = .gmt
  formatter.dateFormat = "EEEEEE"
  // 1 January 2023 was a Sunday.
  return (0..<7).map {
    formatter.string(from: Date(timeIntervalSince1970: 1_672_531_200 + 86_400 * Double($0)))
  }
}

var text: [String] = []
for language in languages {
  let locale = Locale(identifier: language)
  var calendar = Calendar(identifier: .gregorian)
  calendar.locale = locale
  let pattern = DateFormatter.dateFormat(fromTemplate: "dMMMMy", options: 0, locale: locale) ?? ""
  let dots = (pattern.contains("d.") ? "." : "") + (pattern.contains("y.") ? "." : "")
  text.append("=\(language.prefix { $0 != "_" })\(dots)")
  text += months(calendar)
  text += words([
    calendar.weekdaySymbols, calendar.shortWeekdaySymbols, calendar.standaloneWeekdaySymbols,
    calendar.shortStandaloneWeekdaySymbols, shortest(locale),
  ])
  text += [word([calendar.amSymbol]), word([calendar.pmSymbol])]
}
var persian = Calendar(identifier: .persian)
persian.locale = Locale(identifier: "fa")
text.append("=persian")
text += months(persian)

var lines: [String] = []
var line = ""
for word in text {
  if !line.isEmpty, line.count + word.count > 94 || word.hasPrefix("=") {
    lines.append(line)
    line = ""
  }
  line += line.isEmpty ? word : " " + word
}
lines.append(line)

print(lines.joined(separator: "\n"))
