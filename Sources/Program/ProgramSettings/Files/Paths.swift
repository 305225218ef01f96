import Foundation

/// Locations of files: the XDG base directories, or options.
/// https://specifications.freedesktop.org/basedir-spec/latest/
package struct Paths {
  package var data: String
  /// The configuration; `nil` without a home if options name the data directory.
  package var config: String?
  /// The log for a configured level without a named file.
  package var log: String
  /// The remembered choices; `nil` without a state directory.
  package var state: String?

  /// - Throws: an error if HOME is needed and missing.
  package init(dataDir: String?, config: String?) throws(CommandFailure) {
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
    // The specification ignores relative paths.
    if let path = Environment.value(variable), path.hasPrefix("/") { return path }
    if let home = Environment.home { return home + "/" + place }
    throw CommandFailure(
      "HOME is not set to a full path, so Weir does not know where its files are. Set HOME or "
        + "\(variable), or use \(option).", code: .cannotStart)
  }

  package static func expandingHome(_ path: String) -> String {
    guard path == "~" || path.hasPrefix("~/"), let home = Environment.home else {
      return path
    }
    return home + path.dropFirst()
  }

  /// Returns the folder for files of articles: the configured one, the user's downloads
  /// (xdg-user-dirs), or one in the data directory.
  package static func downloads(_ configured: String?, otherwise data: String) -> String {
    let path =
      configured.map(expandingHome) ?? Environment.value("XDG_DOWNLOAD_DIR")
      ?? expandingHome("~/Downloads")
    return path.hasPrefix("/") ? path : data + "/downloads"
  }
}

/// Reads the environment. An empty variable counts as missing.
package enum Environment {
  package static func value(_ name: String) -> String? {
    guard let text = getenv(name).map({ String(cString: $0) }), !text.isEmpty else { return nil }
    return text
  }

  /// The home directory; `nil` if missing or relative.
  package static var home: String? { value("HOME").flatMap { $0.hasPrefix("/") ? $0 : nil } }
}
