import Foundation

extension Fingerprint {
  /// Returns the hash of all stored parts of an item. An item with an equal hash changes no row.
  package static func content(_ item: ParsedItem) -> Int64 {
    var value: UInt64 = 0
    func add(_ text: String?) {
      guard let text else {
        value = value &* XXH64.prime1 &+ XXH64.prime5
        return
      }
      value = XXH64.hash(text, seed: value)
    }
    func add(_ number: Int64) { value = (value ^ UInt64(bitPattern: number)) &* XXH64.prime2 }
    add(item.url)
    add(item.externalURL)
    add(item.title)
    add(item.contentHTML)
    add(item.contentText)
    add(item.summary)
    add(item.imageURL)
    add(item.language)
    add(item.commentsURL)
    add(item.datePublished?.milliseconds ?? .min)
    add(item.dateModified?.milliseconds ?? .min)
    for author in item.authors {
      add(author.name)
      add(author.url)
    }
    for tag in item.tags { add(tag) }
    for enclosure in item.enclosures {
      add(enclosure.url)
      add(enclosure.mimeType)
      add(enclosure.title)
      add(enclosure.size ?? .min)
      add(Int64(bitPattern: (enclosure.duration ?? -1).bitPattern))
    }
    return Int64(bitPattern: value)
  }
}
