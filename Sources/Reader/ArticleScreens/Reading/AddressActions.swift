package import TerminalViews

/// Actions on an address or a feed that several screens share.
package enum AddressActions {
  /// Copies through the terminal (OSC 52); shows the address if that is not supported.
  package static func copy(_ url: String, _ context: ReaderContext) {
    let shown = Confusables.shown(url)
    context.note(context.terminal.copy(encoded(url)) ? "Copied \(shown)" : shown)
  }

  /// Copies a text without line breaks; shows the text if the terminal has no clipboard.
  package static func copy(text: String, _ context: ReaderContext) {
    context.note(context.terminal.copy(text) ? "Copied \(text)" : text)
  }

  /// Percent-encodes the invisible characters of an address (RFC 3986, §2.1): control and format
  /// characters, spaces, noncharacters and unassigned code points.
  static func encoded(_ url: String) -> String {
    var text = ""
    for scalar in url.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .privateUse, .surrogate, .unassigned, .spaceSeparator,
        .lineSeparator, .paragraphSeparator:
        for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
          text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// Opens an http(s) address. Other addresses need a `ConfirmPrompt` first; see `Window`.
  package static func open(_ url: String, _ context: ReaderContext) {
    do throws(ActionFailure) {
      try context.actions.openInBrowser(url)
      context.note("Opened \(Confusables.shown(url))")
    } catch {
      context.show(.failure(error.sentence))
    }
  }

  /// Unsubscribes. Asks first about several feeds, and if that ends a subscription at an account's
  /// server or keeps articles.
  package static func unsubscribe(_ feeds: [Feed], _ context: ReaderContext) {
    let what = named(feeds)
    let ids = Set(feeds.compactMap(\.account))
    let accounts = context.read(try context.store.accounts.all()) ?? []
    let servers = accounts.filter { ids.contains($0.id) }.map(\.title).joined(separator: ", ")
    let archived = context.read(try context.store.states.archived(of: feeds.map(\.id)))
      .flatMap(MarkWording.archived)
    let server = servers.isEmpty ? nil : servers
    guard feeds.count > 1 || server != nil || archived != nil else {
      return unsubscribe(feeds, what, from: nil, context)
    }
    let question =
      "Unsubscribe from \(what)\(server.map { " at \($0) too" } ?? "")?"
      + (archived.map { " \($0)" } ?? "")
    context.ask(whether: question) { unsubscribe(feeds, what, from: server, context) }
  }

  /// Returns the name of a feed or the number of several feeds, with the number of their articles.
  private static func named(_ feeds: [Feed]) -> String {
    let name = feeds.count == 1 ? feeds[0].name.shortName : AmountWording.feeds(feeds.count)
    let total = feeds.reduce(0) { $0 + $1.counts.total }
    let starred = feeds.reduce(0) { $0 + $1.counts.starred }
    guard total > 0 else { return name }
    let stars = starred > 0 ? ", \(AmountWording.grouped(starred)) starred" : ""
    return "\(name) (\(AmountWording.articles(total))\(stars))"
  }

  /// The effect of unsubscribing, like "LWN with 312 articles".
  package static func unsubscribeEffect(
    _ feed: Feed, _ context: ReaderContext
  ) -> EffectText.Source {
    let query = ArticleQuery(scope: .feed(feed.id))
    return context.effect({ store in try store.articles.count(query) }) {
      "\(feed.name) with \(AmountWording.articles($0))"
    }
  }

  private static func unsubscribe(
    _ feeds: [Feed], _ what: String, from servers: String?, _ context: ReaderContext
  ) {
    let ids = feeds.map(\.id)
    let sent = servers.map { "; sent to \($0) in 30 seconds" } ?? ""
    let undo = context.undoHint("brings \(feeds.count == 1 ? "it" : "them") back")
    context.write(noting: "Unsubscribed from \(what)\(sent)\(undo)") { store in
      try await store.feeds.unsubscribe(ids)
    }
  }

  package static func useMovedAddress(_ feed: Feed?, _ context: ReaderContext) {
    guard let feed, let address = feed.state.movedTo else { return }
    let shown = Confusables.shown(address)
    context.write(noting: "\(feed.name.shortName) is now fetched from \(shown)") {
      store in try await store.feeds.useMovedAddress(feed.id)
    }
  }
}

extension String {
  /// The name in a message, shortened so that the end of the message is visible.
  package nonisolated var shortName: String { fitted(to: 40) }
}
