import Foundation

/// Where things lie: the XDG base directories, or what the user says instead.
/// https://specifications.freedesktop.org/basedir-spec/latest/
struct Paths {
  var data: String
  /// Nil: a service without a home that names its data has no configuration.
  var config: String?
  /// The log's own place, used where a level is configured but no file.
  var log: String
  /// What the reader remembers of its screens; nil if nothing says where that may be.
  var state: String?

  /// - Throws: where a place depends on a home that is not known.
  init(dataDir: String?, config: String?) throws(CommandFailure) {
    if let dataDir {
      data = dataDir
    } else {
      data = try Self.base("XDG_DATA_HOME", ".local/share", option: "--data-dir") + "/weir"
    }
    if let config {
      self.config = config
    } else if dataDir != nil, Environment.home == nil,
      Environment.value("XDG_CONFIG_HOME") == nil
    {
      self.config = nil
    } else {
      self.config =
        try Self.base("XDG_CONFIG_HOME", ".config", option: "--config")
        + "/weir/config.toml"
    }
    let states = try? Self.base("XDG_STATE_HOME", ".local/state", option: "--log")
    log = (states ?? data) + "/weir/weir.log"
    state = states.map { $0 + "/weir/state.json" }
  }

  private static func base(
    _ variable: String, _ place: String, option: String
  ) throws(CommandFailure) -> String {
    // The specification: a relative path is to be ignored.
    if let path = Environment.value(variable), path.hasPrefix("/") { return path }
    if let home = Environment.home { return home + "/" + place }
    throw CommandFailure(
      "HOME is not set to a full path, so Weir does not know where its files are. Set HOME or "
        + "\(variable), or use \(option).", code: .cannotStart)
  }

  /// `~/feeds.opml`, as people type it where no shell reads it.
  static func expandingHome(_ path: String) -> String {
    guard path == "~" || path.hasPrefix("~/"), let home = Environment.home else {
      return path
    }
    return home + path.dropFirst()
  }

  /// Where the files of articles are saved: where the user says, or where their downloads are
  /// (freedesktop.org's xdg-user-dirs), or in the data directory of one who has no home.
  static func downloads(_ configured: String?, otherwise data: String) -> String {
    let path =
      configured.map(expandingHome) ?? Environment.value("XDG_DOWNLOAD_DIR")
      ?? expandingHome("~/Downloads")
    return path.hasPrefix("/") ? path : data + "/downloads"
  }
}
