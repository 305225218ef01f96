package import FeedModel
import FeedParsing
import Foundation

/// The places where other readers store their subscriptions, by their documentation and the XDG
/// Base Directory Specification, and the user's downloads.
package struct OtherReaders: Sendable {
  private let home: String
  private let config: String
  private let data: String
  private let downloads: String

  private static let elfeed = "elfeed"
  /// The most bytes of a list; larger files are ignored.
  private static let longest = 8 << 20
  /// The most OPML files that are read among the downloads.
  private static let mostDownloads = 20

  /// - Parameter variable: returns the value of an environment variable.
  package init(home: String, variable: (String) -> String?) {
    func folder(_ name: String, or usual: String) -> String {
      variable(name).flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(home)/\(usual)"
    }
    self.home = home
    config = folder("XDG_CONFIG_HOME", or: ".config")
    data = folder("XDG_DATA_HOME", or: ".local/share")
    downloads = folder("XDG_DOWNLOAD_DIR", or: "Downloads")
  }

  /// Returns the lists with at least one feed: those of readers, then the newest downloads. Reads
  /// regular files only.
  package func lists() -> [ImportOffer] {
    var found: [ImportOffer] = []
    for (reader, paths) in readers {
      let list = paths.lazy.compactMap { Self.list(of: reader, at: $0) }.first
      if let list { found.append(list) }
    }
    return found + exported.compactMap { Self.list(of: "OPML", at: $0) }
  }

  private var readers: [(name: String, paths: [String])] {
    [
      ("newsboat", ["\(config)/newsboat/urls", "\(home)/.newsboat/urls"]),
      ("newsraft", ["\(config)/newsraft/feeds", "\(home)/.newsraft/feeds"]),
      ("Liferea", ["\(config)/liferea/feedlist.opml"]),
      ("Akregator", ["\(data)/akregator/data/feeds.opml"]),
      (
        Self.elfeed,
        [
          "\(home)/.emacs.d/elfeed.org", "\(home)/.emacs.d/init.el", "\(home)/.emacs",
          "\(config)/emacs/init.el", "\(config)/doom/config.el",
        ]
      ),
    ]
  }

  /// OPML files among the downloads, the newest first.
  private var exported: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: downloads)) ?? []
    return names.filter { $0.lowercased().hasSuffix(".opml") }.map { "\(downloads)/\($0)" }
      .compactMap { path in
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.modificationDate] as? Date).map { (path: path, date: $0) }
      }
      .sorted { ($0.date, $0.path) > ($1.date, $1.path) }
      .prefix(Self.mostDownloads).map(\.path)
  }

  /// Returns `nil` if the file cannot be read or names no feed.
  private static func list(of reader: String, at path: String) -> ImportOffer? {
    let attributes = try? FileManager.default.attributesOfItem(
      atPath: URL(filePath: path).resolvingSymlinksInPath().path)
    guard attributes?[.type] as? FileAttributeType == .typeRegular,
      (attributes?[.size] as? NSNumber)?.intValue ?? .max <= longest,
      let bytes = FileManager.default.contents(atPath: path),
      reader != Self.elfeed || ElfeedFeeds.claims(Array(bytes)),
      let outline = try? ForeignList.parse(Array(bytes), mayBeOwn: false),
      !outline.entries.isEmpty
    else { return nil }
    return ImportOffer(reader: reader, path: path, feeds: outline.entries.count)
  }
}
