import FeedModel
import ReaderServices
import TerminalViews

/// The keys that the status line shows for the open article.
struct ReadingHints {
  let screen: ReaderScreen

  var hints: [Hint] {
    guard screen.article != nil else { return [Hint(.goOut, "back"), Hint(.help, "help")] }
    if !screen.finder.findings.lines.isEmpty {
      return [
        Hint(.nextUnread, "next match"), Hint(.previousUnread, "previous match"),
        Hint(.dismiss, "done"), Hint(.readOn, "read on"), Hint(.back, "back"), Hint(.help, "help"),
      ]
    }
    let hasPage = screen.article?.row.url != nil
    var hints = [Hint(.readOn, "read on")]
    if hasPage { hints.append(Hint(.openInBrowser, "browser")) }
    if screen.document?.links.isEmpty == false { hints.append(Hint(.followLink, "links")) }
    hints += [Hint(.back, "back"), Hint(.help, "help")]
    if !screen.origins.isEmpty { hints.insert(Hint(.dismiss, "return"), at: 0) }
    if screen.whyNotSideways == nil { hints.insert(Hint(.scrollRight, "scroll"), at: 1) }
    if !screen.pictures.references.isEmpty { hints.append(Hint(.pictures, "pictures")) }
    if screen.article?.isPlayable == true { hints.append(Hint(.play, "play")) }
    if screen.article?.enclosures.isEmpty == false { hints.append(Hint(.download, "download")) }
    hints.append(Hint(.toggleStar, "star"))
    if hasPage { hints.append(Hint(.fullText, "full text")) }
    return hints + [
      Hint(.toggleLater, "later"), Hint(.filter, "find"), Hint(.zoom, "zoom"),
      Hint(.palette, "commands"),
    ]
  }
}
