import Foundation

/// Reads the environment. An empty variable counts as missing.
package enum Environment {
  package static func value(_ name: String) -> String? {
    guard let text = getenv(name).map({ String(cString: $0) }), !text.isEmpty else { return nil }
    return text
  }

  /// The home directory; `nil` if missing or relative.
  package static var home: String? { value("HOME").flatMap { $0.hasPrefix("/") ? $0 : nil } }
}
