import ArticleText
import TerminalViews

/// The open article and its text: the feed's, the page's, or the output of a program.
struct ShownText {
  var open: OpenArticle
  /// The output of a program in place of the article's text.
  var replacement: (program: String, html: String)?
  private(set) var body = ArticleBody(html: "")
  private var facts = ReadingFacts()
  /// True while an older text is shown: a new text that the user did not request waits for a key if
  /// the user has scrolled down.
  var holdsNewText = false
  /// True after the user has requested another text, which may replace this one.
  var awaitsText = false
  /// True after the user has requested the missing pictures again.
  var hasRetried = false

  init(_ open: OpenArticle) { self.open = open }

  /// Reads the current text of the article.
  /// - Returns: Its HTML.
  mutating func readHTML(_ dates: DateWording) -> String {
    let html = html(dates)
    body = ArticleBody(open.article, html: html)
    body.files = Set(open.article.enclosures.map(\.url))
    facts = ReadingFacts(html: html)
    holdsNewText = false
    return html
  }

  /// Returns the output of a program, or the page's text if fetched and wanted, or the feed's text.
  func html(_ dates: DateWording) -> String {
    if let replacement { return replacement.html }
    return PipeOutput.html(open.article.shownHTML(with: open.fullText), with: open.notes, dates)
  }

  /// Returns the content around the text.
  func source(_ context: ReaderContext) -> ArticlePage.Source {
    let article = open.article
    let note =
      replacement.map { "\($0.program); Esc shows the article" }
      ?? (holdsNewText
        ? "updated: \(Self.newTextNote(context))"
        : FullTextActions.wording(context).note(open.fullText, offline: context.offlineUntil)
          ?? RuleWording.short(open.judgements))
    var head = ArticleHead(
      article, facts, note: note, playKey: context.keymap.label(.play), dates: context.dates)
    let plan = context.store.plan
    head.minutes = ReadingWording.shortMinutes(
      plan.minutes(ofWords: facts.words),
      left: plan.left(ofWords: facts.words, seen: open.place?.seen))
    head.feedName = context.feedName(of: article.row)
    head.played = PlaybackWording.place(open.playbacks.values.max { $0.at < $1.at })
    head.changesKey = open.hasChanged ? context.keymap.label(.about) : nil
    return ArticlePage.Source(
      head: head, enclosures: article.enclosures, fileNotes: fileNotes(context),
      remedies: article.row.url == nil
        ? ArticleEnd.Remedies()
        : ArticleEnd.Remedies(
          fullText: context.keymap.label(.fullText),
          browser: context.keymap.label(.openInBrowser)))
  }

  static func newTextNote(_ context: ReaderContext) -> String {
    context.keymap.label(.showArrivals).map { "\($0) shows it" }
      ?? "you see it when you come back"
  }

  private func fileNotes(_ context: ReaderContext) -> [String: String] {
    let wording = DownloadActions.wording(context)
    return Dictionary(open.downloads.map { ($0.url, wording.note($0)) }) { first, _ in first }
  }
}
