import TerminalViews

nonisolated extension Command {
  /// Former names of commands, with the command and argument that replace them. They work in the
  /// configuration, and the palette finds the commands by them.
  static let former = [
    "add-account": "accounts", "add-feed": "add", "always-full-text": "edit", "apply-rule": "open",
    "asleep": "lists asleep", "bookmark": "send bookmark", "boost": "refresh",
    "cancel-refresh": "stop", "change-password": "edit", "changes": "about changes",
    "continue-article": "lists continue", "copies": "about copies", "copy-command": "send command",
    "copy-markdown": "send link", "discard-change": "delete", "downloads": "lists downloads",
    "edit-address": "edit", "edit-feed": "edit", "edit-rule": "edit", "export-feeds": "send opml",
    "hidden-articles": "lists hidden", "import-feeds": "add", "keep-rule": "open",
    "make-rule": "rules", "mark-above-read": "mark-part above",
    "mark-below-read": "mark-part below",
    "mark-older-read": "mark-part", "narrow-pane": "layout narrower", "next-hit": "next-unread",
    "old-arrivals": "lists old", "older": "lists older", "open-account": "accounts",
    "open-discussion": "about discussion", "open-link": "open", "open-search": "lists",
    "open-with": "send program", "pause-download": "pause", "pause-downloads": "pause",
    "pause-sync": "pause", "pause-this": "pause", "pipe": "send pipe",
    "previous-hit":
      "previous-unread", "previous-pane": "next-pane", "recently-read": "lists read",
    "remove-account": "delete", "remove-download": "delete", "remove-notes": "about notes",
    "remove-rule": "delete", "reset-panes": "layout usual", "retry-failed": "refresh-all",
    "roomy-rows": "layout rows", "save-article": "send", "save-database": "send database",
    "save-list": "send book", "scroll-left": "go-out", "scroll-right": "go-in",
    "search-order": "sort", "show-hidden": "lists hidden-here", "silent-feeds": "lists silent",
    "stop-this": "delete", "stop-waiting": "delete", "text-width": "layout width",
    "today": "lists today", "toggle-folder": "go-in", "toggle-rule": "pause",
    "use-new-address": "edit", "wake": "snooze now", "why": "about rules",
    "widen-pane": "layout wider", "wrap-code": "layout wrap",
  ]

  /// Words of everyday speech and of other readers, with what they mean here.
  static let synonyms = [
    "account": "accounts", "appearance": "theme", "archive": "toggle-later", "archived": "lists",
    "block": "rules", "bookmark": "toggle-star", "bookmarks": "lists",
    "catch up": "mark-shown-read", "clipboard": "copy-address", "color": "theme", "colour": "theme",
    "comments": "about discussion", "configure": "settings", "connect": "accounts",
    "credentials": "accounts", "dark": "theme", "errors": "problems", "exit": "quit",
    "export": "send opml", "favourite": "toggle-star", "favorite": "toggle-star", "find": "search",
    "fold": "go-out", "folder": "move-to-folder", "font": "layout", "fullscreen": "zoom",
    "hide": "rules", "history": "lists read", "hotkeys": "help", "images": "pictures",
    "import": "add", "keyboard": "help", "keys": "help", "label": "tag", "later": "toggle-later",
    "light": "theme", "listen": "play", "login": "accounts", "manual": "help",
    "mark": "toggle-read", "mark all": "mark-shown-read", "mute": "priority", "new": "add",
    "newsletter": "add", "offline": "pack", "opml": "send opml", "order": "sort", "panes": "layout",
    "password": "accounts", "podcast": "play", "preferences": "settings", "print": "send",
    "read": "toggle-read", "read later": "toggle-later", "reload": "refresh", "remind": "snooze",
    "rename": "edit", "restore": "undo", "revert": "undo", "save": "send",
    "share": "send", "shortcuts": "help", "sign in": "accounts", "sleep": "snooze",
    "star": "toggle-star", "subscribe": "add", "sync": "sync-console", "toolbar": "layout",
    "translate": "send pipe", "unread": "toggle-unread-filter", "update": "refresh",
    "video": "play", "width": "layout width", "wrap": "layout wrap",
  ]

  /// Everyday words and former names with their meanings, in the order of the alphabet.
  package static let words: [(word: String, invocation: Invocation)] =
    former.merging(synonyms) { _, word in word }.compactMap { word, text in
      Invocation(text).map { (word.replacing("-", with: " "), $0) }
    }.sorted { $0.word < $1.word }
}
