import ProgramSettings

/// The settings of a feed that differ from the general ones: the user's own, and those of the
/// configuration for its address.
struct FeedChanges {
  /// A setting by its name in the reader (key `e`) and in the configuration.
  struct Change {
    var name: String
    /// The value; "set" for headers, cookies and proxies, which may contain passwords.
    var value: String
    /// True for a setting in the configuration, false for one made in the reader.
    var isConfigured = false

    var text: String {
      "\(name)=\(SafeText.withoutSecrets(value))\(isConfigured ? " (configuration)" : "")"
    }
  }

  private static let secret: Set<FeedOption> = [.headers, .cookies, .proxy]
  let changes: [Change]

  init(_ feed: Feed, _ options: FeedOptionSources) {
    var found: [Change] = []
    if let name = feed.userTitle, !name.isEmpty { found.append(Change(name: "name", value: name)) }
    if feed.isPaused { found.append(Change(name: "paused", value: "true")) }
    if feed.priority != .normal {
      found.append(Change(name: "priority", value: feed.priority.name))
    }
    for option in FeedOption.allCases {
      let own = options.own.text(of: option)
      guard let value = own ?? options.configured.text(of: option) else { continue }
      let shown = Self.secret.contains(option) && !value.isEmpty ? "set" : value
      found.append(Change(name: option.rawValue, value: shown, isConfigured: own == nil))
    }
    changes = found
  }

  func json(_ feed: FeedID, _ name: String) -> JSONObject {
    let settings = changes.map {
      ["name": $0.name, "value": $0.value, "isConfigured": $0.isConfigured] as JSONObject
    }
    return ["id": feed.rawValue, "name": name, "settings": settings]
  }
}
