package import Foundation
package import TerminalViews

/// The display of pictures. Raw values are those of the configuration.
public nonisolated enum PictureDisplay: String, CaseIterable, Sendable {
  /// Pixels if the terminal supports them, otherwise blocks.
  case auto
  case kitty
  case sixel, iterm
  case blocks
  case off

  /// True if the terminal may receive pixels, which is decided at the start.
  package var isInPixels: Bool { self != .blocks && self != .off }
}

/// The user's settings for the screens, by the names in `ScreenSettings`, and facts about this run.
@dynamicMemberLookup
package nonisolated struct ReaderConfiguration: Sendable {
  package var settings = SettingValues()
  /// Choices on screen in earlier runs.
  package var remembered: [ReaderSetting: String] = [:]
  /// Settings in the user's file; choices on screen override them only until the reader ends.
  package var fixed: Set<String> = []
  package var background: Theme.Background?
  package var timeZone = TimeZone.current
  /// The feed of the bundled guide. Without other feeds, the library counts as a first start.
  package var guideURL: String?
  /// True if this process runs no engine. The reader then shows the state as offline, unless
  /// another process syncs. Other processes do not see this.
  package var isOffline = false
  /// The most bytes of all picture files of one article.
  package var picturesOfArticle = PictureLimits.article

  package init() {}

  package subscript<Value>(
    dynamicMember setting: KeyPath<ScreenSettings, SettingKey<Value>>
  ) -> Value {
    get { settings[ScreenSettings.all[keyPath: setting]] }
    set { settings[ScreenSettings.all[keyPath: setting]] = newValue }
  }

  /// Seconds between two notifications of new articles; `nil` without a program for them.
  package var noticePause: Double? {
    self.notification.map { _ in Double(self.notificationPause) }
  }

  package var paneWidths: PaneWidths {
    func columns(_ width: ReaderSetting) -> Int? {
      remembered[width].flatMap { Int($0) }.flatMap { (1...1_000).contains($0) ? $0 : nil }
    }
    return PaneWidths(feeds: columns(.feedsWidth), articles: columns(.articlesWidth))
  }

  var keymap: Keymap { Keymap(overrides: self.keys, bindings: self.bindings) }

  func appliedTheme(depth: ColorDepth) -> Theme {
    Theme.named(self.theme, depth: depth, background: background, own: self.themes)
  }
}

/// Pane widths set by the user, in columns; `nil` if the width depends on the window.
package nonisolated struct PaneWidths: Equatable, Sendable {
  package var feeds: Int?
  package var articles: Int?

  package init(feeds: Int? = nil, articles: Int? = nil) {
    (self.feeds, self.articles) = (feeds, articles)
  }
}

/// The place of folders in a folder: before or after its feeds.
package nonisolated enum FolderPlace: String, CaseIterable {
  case first = "folders-first"
  case last = "folders-last"
}

/// The order of feeds in a folder. Folders are ordered by name or by the user.
package nonisolated enum FeedOrder: String, CaseIterable {
  case own, name, unread, latest
}
