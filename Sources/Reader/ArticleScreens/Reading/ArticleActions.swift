internal import ArticleText
internal import Foundation
import TerminalViews

/// Actions on one article, shared by the list and the reader.
package struct ArticleActions {
  let context: ReaderContext
  let id: ArticleID?

  package init(context: ReaderContext, id: ArticleID?) { (self.context, self.id) = (context, id) }

  /// Returns commands for the article that is selected or open when a key is pressed.
  static func bindings(
    _ context: ReaderContext, of article: @escaping () -> ArticleID?
  ) -> [Binding] {
    let now = { ArticleActions(context: context, id: article()) }
    return [
      Binding(.openInBrowser, unless: now().whyNoAddress) {
        if let url = now().address { context.window?.follow(url) }
      },
      Binding(.copyAddress, unless: now().whyNoAddress) {
        if let url = now().address { AddressActions.copy(url, context) }
      },
      Binding(.play, unless: now().whyNothingToPlay) { now().play() },
      Binding(.fullText, unless: now().whyNoArticle) {
        if let id = article() { FullTextActions.request(id, context) }
      },
      Binding(.download, unless: now().whyNoArticle) {
        if let id = article() { DownloadActions.ask(id, context) }
      }.counting { _ in now().downloadEffect },
    ]
  }

  /// Where the article can be sent.
  package var receivers: [OfferedAction] {
    guard let article else { return [] }
    let forAddress =
      address == nil
      ? []
      : [
        OfferedAction("program", "A program that opens the address") {
          askForProgram($0, run: open)
        },
        OfferedAction("bookmark", "The bookmarks") { give(.bookmark, opensAddress: true) },
        OfferedAction("link", "The clipboard, as a Markdown link") { copyMarkdown() },
      ]
    return forAddress + [
      OfferedAction("pipe", "A program that reads the text") { askForProgram($0, run: pipe) },
      OfferedAction("markdown", "A file: Markdown (.md)") { askForFile(of: article, "md") },
      OfferedAction("text", "A file: plain text (.txt)") { askForFile(of: article, "txt") },
    ]
  }

  private func open(with program: String) { give(.typed(program), opensAddress: true) }

  /// Runs a typed program, or asks for one.
  private func askForProgram(_ typed: String, run: @escaping (String) -> Void) {
    guard typed.isEmpty else { return run(typed) }
    context.window?.ask(
      Picker(
        "Program", ArgumentChoices(all: context.actions.programNames), new: "Other program"
      ) { values in if let program = values.first, !program.isEmpty { run(program) } })
  }

  private var downloadEffect: EffectText.Source {
    guard let id else { return { _ in nil } }
    return context.effect({ store in
      try store.articles.article(id)?.enclosures.count
    }) { AmountWording.count($0, "file", "files") }
  }

  var article: Article? {
    guard let id else { return nil }
    return context.read(try context.store.articles.article(id))
  }

  /// The address. Most articles have it in their row, so that their text need not be read.
  var address: String? {
    if let id, let url = (context.read(try context.store.articles.articleRow(id)))?.url {
      return url
    }
    return article.flatMap { $0.row.url ?? $0.externalURL }
  }

  private func copyMarkdown() {
    guard let address, let title = article?.row.title else { return }
    let link = ArticleBody.markdownLink(title, to: AddressActions.encoded(address))
    AddressActions.copy(text: link, context)
  }

  private func html(of article: Article) -> String {
    article.shownHTML(with: context.read(try context.store.fullTexts.fullText(article.id)))
  }

  var whyNoArticle: String? { id == nil ? "Select an article first" : nil }
  private var whyNoAddress: String? {
    whyNoArticle ?? (address == nil ? "This article has no web page" : nil)
  }

  private func askForFile(of article: Article, _ suffix: String) {
    let name = FileNames.proposed(for: article.row.title, or: "article")
    context.ask(
      for: "Save to: ", text: "~/\(name).\(suffix)", completing: context.actions.paths
    ) { path in
      let (html, dates, context) = (html(of: article), context.dates, context)
      context.session.preparation = context.runInBackground {
        let text = await ProgramText.longText(
          article, html, dates, isMarkdown: ProgramText.isMarkdown(path: path))
        await context.showResult(of: .send) { () throws(ActionFailure) in
          try await context.actions.save(text, path: path)
        }
      }
    }
  }

  private var whyNothingToPlay: String? {
    whyNoArticle
      ?? (article?.enclosures.isEmpty == false ? nil : "This article has no sound or video")
  }

  /// Opens the article's file in a player, or asks for one of several. The key plays files of any
  /// type; hints show it only for audio and video.
  private func play() {
    guard let article else { return }
    let enclosures = article.enclosures
    guard enclosures.count > 1 else { return play(enclosures[0], of: article) }
    let items = enclosures.map { enclosure in
      let size = enclosure.size.map { AmountWording.bytes(Double($0)) }
      let time = enclosure.duration.map(AmountWording.duration)
      return Picker.Item(
        enclosure.url, title: Download.fileName(of: enclosure.url),
        note: [enclosure.mimeType, time, size].compactMap(\.self).joined(separator: " · "))
    }
    context.window?.ask(
      Picker("Play", items) { values in
        guard let chosen = enclosures.first(where: { $0.url == values.first }) else { return }
        play(chosen, of: article)
      })
  }

  private func play(_ enclosure: Enclosure, of article: Article) {
    let file = savedFile(enclosure)
    let playback = context.read(try context.store.downloads.playbacks(of: article.id))?[
      enclosure.url]
    context.note(
      PlaybackWording.playing(
        article.enclosures.count == 1
          ? article.row.title : Download.fileName(of: enclosure.url), from: playback))
    context.run(
      ProgramTask(
        program: .player, environment: environment(article),
        address: file == nil ? enclosure.url : nil,
        file: file,
        playing: ProgramTask.Playing(
          article: article.id, url: enclosure.url, from: playback?.resumesAt)))
  }

  private func savedFile(_ enclosure: Enclosure) -> String? {
    guard let id, let downloads = context.read(try context.store.downloads.files(of: id)) else {
      return nil
    }
    return downloads.lazy.compactMap { download -> String? in
      guard download.url == enclosure.url, case .saved(let path) = download.state else {
        return nil
      }
      return path
    }.first
  }

  var discussion: String? {
    guard let article else { return nil }
    return article.commentsURL ?? article.discussionAddress(in: html(of: article))
  }

  /// Passes the article to a program: its facts in the environment, its text on standard input or
  /// its address as an argument.
  private func give(_ program: ProgramTask.Program, opensAddress: Bool) {
    guard let article else { return }
    var task = ProgramTask(
      program: program, environment: environment(article), input: nil,
      address: opensAddress ? address : nil)
    guard !opensAddress else { return context.run(task) }
    let (html, dates) = (html(of: article), context.dates)
    if html.utf8.count <= ArticlePage.firstPiece {
      task.input = ProgramText.text(article, html, dates)
      context.run(task)
    } else {
      context.session.preparation = context.runInBackground {
        task.input = await ProgramText.longText(article, html, dates)
        if !Task.isCancelled { context.run(task) }
      }
    }
  }

  /// Passes the article to a program. Asks before a line that needs a shell is run by `sh -c`.
  private func pipe(_ typed: String) {
    guard let line = ShellLine.wrapped(typed), !context.actions.programNames.contains(typed) else {
      return run(typed)
    }
    context.ask(whether: "Weir runs programs without a shell. Run this with sh -c?") { run(line) }
  }

  /// Passes the article to a program and uses its output as configured.
  private func run(_ typed: String) {
    let mode = context.actions.outputMode(of: typed)
    guard mode != .background else { return give(.typed(typed), opensAddress: false) }
    guard let article else { return }
    let (html, dates) = (html(of: article), context.dates)
    var task = ProgramTask(program: .typed(typed), environment: environment(article))
    let (id, name) = (article.id, String(typed.prefix(60)))
    context.note("\(name) is running")
    // Runs the program in the background, while the user reads other articles.
    context.runUntilQuit { [context] in
      task.input = await ProgramText.longText(article, html, dates)
      do throws(ActionFailure) {
        let text = try await context.actions.output(of: task)
        PipeOutput.show(text, of: name, about: id, mode, context)
      } catch {
        context.show(.failure(error.sentence, about: .action(.send)))
        context.invalidate()
      }
    }
  }

  private func environment(_ article: Article) -> [String: String] {
    let feed = context.read(try context.store.feeds.feed(article.row.feed))
    var environment = ProgramText.environment(article, of: feed)
    if let file = article.enclosures.first.flatMap(savedFile) {
      environment["WEIR_ENCLOSURE"] = file
    }
    environment["WEIR_COMMENTS"] = discussion.map { WebAddress($0).encoded } ?? ""
    return environment
  }
}

extension Mark {
  /// Gives all articles the mark, or removes it if all of them have it. The marks are read when the
  /// write is performed, so that two quick presses toggle twice.
  nonisolated func toggle(
    _ ids: [ArticleID], _ store: ReaderCache
  ) async throws(StoreError) -> MarkedArticles {
    let areOn = try store.articles.statuses(ids).allSatisfy { $0[self] }
    return try await store.states.set(self, ids, !areOn)
  }
}

enum DeletedArticles {
  /// Deletes the articles that `articles` returns within the write.
  static func delete(
    _ context: ReaderContext,
    _ articles: @escaping @Sendable (ReaderCache) throws -> [ArticleID]
  ) {
    context.write({ store in try await store.states.delete(try articles(store)) }
    ) {
      let those = $0 == 1 ? "it" : "them"
      context.note(
        "\(AmountWording.articles($0)) deleted\(context.undoHint("brings \(those) back"))"
      )
    }
  }
}

/// Actions on the full text of an article, shared by the list and the reader.
package enum FullTextActions {
  /// Requests the full text, or shows it if it was fetched.
  static func request(_ article: ArticleID, _ context: ReaderContext) {
    context.write({ store in
      if let known = try store.fullTexts.fullText(article), known.isShown, case .found = known.state
      {
        return known
      }
      return try await store.fullTexts.turnFullText(article)
    }) { report($0, context) }
  }

  /// Switches between the full text and the text of the feed.
  static func turn(_ article: ArticleID, _ context: ReaderContext) {
    context.write({ store in try await store.fullTexts.turnFullText(article) }) {
      report($0, context)
    }
  }

  private static func report(_ text: FullText?, _ context: ReaderContext) {
    context.note(wording(context).answer(text, offline: context.offlineUntil))
  }

  static func wording(_ context: ReaderContext) -> FullTextWording {
    FullTextWording(dates: context.dates, key: context.keymap.label(.fullText))
  }
}
