package import FeedModel
import HTMLContent
internal import TextRules

/// Sanitises items from aggregators by the rules of `FeedParser`. Pure.
package enum ItemCleaner {
  /// - Parameters:
  ///   - item: the received item, with any HTML in `contentHTML`. Reads id, url, title, HTML,
  ///     dates, authors' names, tags and enclosures.
  ///   - base: the base for relative addresses.
  /// - Returns: plain-text titles, sanitised HTML, absolute addresses and the same id.
  package static func clean(_ item: ParsedItem, base: String?) -> ParsedItem {
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
    // Fever has no field for files; the text contains them.
    if item.enclosures.isEmpty, let html = item.contentHTML {
      addRecordings(html, base, to: &draft.enclosures)
    }
    var clean = draft.finish()
    clean.id = item.id
    return clean
  }

  /// Adds the first address of each `<audio>` and `<video>`.
  private static func addRecordings(_ html: String, _ base: Base, to files: inout EnclosureList) {
    guard html.contains("<audio") || html.contains("<video") else { return }
    func add(_ nodes: [HTMLNode]) {
      for case .element(let element) in nodes {
        guard element.name == "audio" || element.name == "video" else {
          add(element.children)
          continue
        }
        let sources = element.children.compactMap { node -> HTMLElement? in
          guard case .element(let child) = node, child.name == "source" else { return nil }
          return child
        }
        guard let file = ([element] + sources).first(where: { $0["src"] != nil }) else { continue }
        // FreshRSS copies the file's attributes in the feed to `data-type` and `data-length`.
        files.add(
          Values.address(file["src"], base: base),
          type: file["type"] ?? file["data-type"] ?? element.name + "/*", title: nil,
          size: file["data-length"].flatMap { Int64($0) }, duration: nil)
      }
    }
    add(HTMLContent.parse(html))
  }

  /// Returns a name as one line of plain text; `nil` if empty.
  package static func label(_ text: String?) -> String? {
    PlainText.read(text, isHTML: false, limit: 512)
  }

  /// Returns an absolute address; `nil` if it must not be opened.
  package static func address(_ text: String?) -> String? {
    Values.address(text, base: Base(nil))
  }
}
