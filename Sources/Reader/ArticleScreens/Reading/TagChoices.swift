import Foundation
import TerminalViews

/// Questions about tags, for the list and the reader.
enum TagChoices {
  static func common(_ ids: [ArticleID], _ context: ReaderContext) -> [String] {
    ids.isEmpty ? [] : context.read(try context.store.states.tags(of: ids)) ?? []
  }

  static func of(_ ids: [ArticleID], _ context: ReaderContext) -> ArgumentChoices {
    let tags = context.read(try context.store.feeds.subscriptions().tags) ?? []
    let current = common(ids, context).map { $0 + " " }.joined()
    var choices = ArgumentChoices(all: tags.map(\.name), current: current, separator: " ")
    for tag in tags {
      choices.notes[tag.name] = AmountWording.articles(tag.counts.total)
    }
    return choices
  }

  /// Adds the tags in the line and removes those deleted from it. Tags that only some of the
  /// articles have are kept. The articles are read when the write is performed.
  static func write(
    _ line: String, instead before: [String], _ context: ReaderContext,
    _ articles: @escaping @Sendable (ReaderCache) throws -> [ArticleID]
  ) {
    let wanted = line.split(separator: " ").map {
      $0.hasPrefix("#") ? String($0.dropFirst()) : String($0)
    }
    let removed = before.filter { tag in
      !wanted.contains { $0.caseInsensitiveCompare(tag) == .orderedSame }
    }
    context.write({ store in
      let ids = try articles(store)
      let local = try await store.states.changeTags(of: ids, adding: wanted, removing: removed)
      return (count: ids.count, local: local)
    }) { written in
      let what = AmountWording.articles(written.count)
      let tags = wanted.isEmpty ? "No tags" : wanted.map { "#\($0)" }.joined(separator: " ")
      let local = AccountWording.local(written.local).map { ", \($0)" } ?? ""
      context.note("\(tags) on \(what)\(local)\(context.undoHint())")
    }
  }
}
