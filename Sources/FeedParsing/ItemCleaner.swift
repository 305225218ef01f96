public import FeedModel

/// Cleans what did not come in a feed document: an aggregator hands on what publishers wrote. Pure, like
/// `FeedParser`, and by its rules.
public enum ItemCleaner {
  /// - Parameters:
  ///   - item: as received; `contentHTML` is any HTML. Only what aggregators give is looked at: id, url,
  ///     title, HTML, dates, authors' names, tags and enclosures.
  ///   - base: the address that relative ones in it resolve against.
  /// - Returns: titles as plain text, HTML sanitised, addresses absolute; the id as it was.
  public static func clean(_ item: ParsedItem, base: String?) -> ParsedItem {
    let base = Base(item.url ?? base)
    var draft = ItemDraft()
    draft.id.offer(item.id, rank: 0)
    draft.url.offer(Values.address(item.url, base: base), rank: 0)
    draft.title.offer(PlainText.read(item.title, isHTML: false), rank: 0)
    let element = XMLElement(
      vocabulary: .core, name: .item, attributes: [], base: base, language: nil)
    if let html = item.contentHTML {
      draft.content.offer(Body(Array(html.utf8), form: .html, element: element), rank: 0)
    }
    draft.published.offer(item.datePublished, rank: 0)
    draft.modified.offer(item.dateModified, rank: 0)
    for author in item.authors {
      draft.authors.add(Author(name: label(author.name)), rank: 0)
    }
    for tag in item.tags { draft.tags.add(label(tag)) }
    for file in item.enclosures {
      draft.enclosures.add(
        Values.address(file.url, base: base), type: file.mimeType, title: label(file.title),
        size: file.size, duration: file.duration)
    }
    var clean = draft.finish()
    clean.id = item.id
    return clean
  }

  /// A name, as plain text on one line; nil where nothing is left.
  public static func label(_ text: String?) -> String? {
    PlainText.read(text, isHTML: false, limit: 512)
  }

  /// An address, absolute; nil where it is none that may be opened.
  public static func address(_ text: String?) -> String? {
    Values.address(text, base: Base(nil))
  }
}
