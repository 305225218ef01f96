import Foundation

extension ArticleIdentity {
  struct Item {
    var arrival: Merge.Arrival
    let title: String
    let hasOwnID: Bool
    /// Milliseconds since 1970.
    let published: Int64?
    /// Publication and last change, in seconds.
    let dates: [Int64]

    var place: Int { arrival.place }
    var link: Int64 { arrival.link }
    var date: Int64? { arrival.date }
    var isMidnight: Bool { dates.allSatisfy { $0 % 86_400 == 0 } }

    init(_ item: ParsedItem, _ arrival: Merge.Arrival) {
      self.arrival = arrival
      (title, hasOwnID) = (FoldedTitle.text(arrival.title), item.hasOwnID)
      published = item.datePublished?.milliseconds
      dates = [item.datePublished, item.dateModified].compactMap { $0?.seconds }
    }
  }

  struct Known {
    let id: Int64
    let identity: Int64
    let fingerprint: Int64
    let itemID: String?
    let title: String
    let link: Int64
    let published: Int64?
    let dates: [Int64]

    static func seconds(_ milliseconds: Int64) -> Int64 {
      (milliseconds - (milliseconds < 0 ? 999 : 0)) / 1_000
    }

    /// Compares dates of which one may give only the minute or the day.
    static func agree(_ a: Int64, _ b: Int64) -> Bool { areSame(seconds(a), seconds(b)) }

    private static func areSame(_ a: Int64, _ b: Int64) -> Bool {
      func grain(_ date: Int64) -> Int64 { date % 86_400 == 0 ? 86_400 : date % 60 == 0 ? 60 : 1 }
      let grain = max(grain(a), grain(b))
      return a / grain == b / grain
    }

    func agrees(with item: Item) -> Bool { agrees(with: item, by: Self.areSame) }

    func isAtSecond(of item: Item) -> Bool { agrees(with: item, by: ==) }

    /// Compares dates of publication, or all dates if one side has no date of publication.
    private func agrees(with item: Item, by areSame: (Int64, Int64) -> Bool) -> Bool {
      if let published, let other = item.published {
        return areSame(Self.seconds(published), Self.seconds(other))
      }
      return dates.contains { date in item.dates.contains { areSame(date, $0) } }
    }

    func isBefore(_ item: Item) -> Bool {
      guard let date = item.dates.first, let own = dates.first else { return false }
      return own < date
    }
  }

  fileprivate struct TitledDate: Hashable {
    let title: String
    let date: Int64
  }

  /// How often addresses, titles and dates occur.
  struct Signs {
    fileprivate var links: [Int64: Int] = [:]
    fileprivate var titles: [String: Int] = [:]
    fileprivate var dates: [Int64: Int] = [:]
    fileprivate var titledDates: [TitledDate: Int] = [:]

    init() {}

    init(_ known: [Known]) {
      for known in known {
        links[known.link, default: 0] += 1
        titles[known.title, default: 0] += 1
        add(known.dates, known.title)
      }
    }

    mutating func add(_ item: ParsedItem) {
      let title = item.title ?? ""
      let folded = FoldedTitle.text(title)
      links[Link.hash(url: ItemText.address(item.url), title: title, fingerprint: 0), default: 0] +=
        1
      titles[folded, default: 0] += 1
      add([item.datePublished, item.dateModified].compactMap { $0?.seconds }, folded)
    }

    private mutating func add(_ seconds: [Int64], _ title: String) {
      for date in Set(seconds) {
        dates[date, default: 0] += 1
        titledDates[TitledDate(title: title, date: date), default: 0] += 1
      }
    }
  }

  /// The articles that all items of a document are compared with.
  struct Compared {
    let signs: Signs
    private let known: [Known]
    private let links: [Int64: [Int]]
    private let titles: [String: [Int]]
    private var dates: [Int64: [Int]] = [:]

    /// Keeps of the known articles those that have the address, the title or a date of an item.
    init(_ all: [Known], with items: [Item]) {
      let (addresses, names) = (Set(items.map(\.link)), Set(items.map(\.title)))
      let days = Set(items.flatMap(\.dates))
      known = all.filter {
        addresses.contains($0.link) || names.contains($0.title)
          || $0.dates.contains(where: days.contains)
      }
      let known = known
      signs = Signs(known)
      links = Dictionary(grouping: known.indices) { known[$0].link }
      titles = Dictionary(grouping: known.indices) { known[$0].title }
      for place in known.indices {
        for date in Set(known[place].dates) { dates[date, default: []].append(place) }
      }
    }

    /// Returns the articles with the address, the title or a date of an item.
    func articles(like item: Item) -> [Known] {
      let dated = item.dates.flatMap { dates[$0, default: []] }
      let places = Set(links[item.link, default: []] + titles[item.title, default: []] + dated)
      return places.sorted().map { known[$0] }
    }
  }

  /// The signs of an item that no other item of the document has, and at most one known article.
  struct Uniqueness {
    let address: Bool
    let title: Bool
    let date: Bool
    /// True if title and date together tell the item apart.
    let titledDate: Bool
    /// True if no other item of the document has the date.
    let listedDate: Bool

    init(_ item: Item, _ here: Signs, _ known: Signs) {
      func isSingle<Key: Hashable>(_ key: Key, _ counts: KeyPath<Signs, [Key: Int]>) -> Bool {
        here[keyPath: counts][key, default: 0] < 2 && known[keyPath: counts][key, default: 0] < 2
      }
      address = Link.isIdentifying(item.link) && isSingle(item.link, \.links)
      title = isSingle(item.title, \.titles)
      date = !item.dates.isEmpty && item.dates.allSatisfy { isSingle($0, \.dates) }
      titledDate = item.dates.allSatisfy {
        isSingle(TitledDate(title: item.title, date: $0), \.titledDates)
      }
      listedDate = item.dates.allSatisfy { here.dates[$0, default: 0] < 2 }
    }
  }
}

extension Date {
  fileprivate var seconds: Int64 { ArticleIdentity.Known.seconds(milliseconds) }
}
