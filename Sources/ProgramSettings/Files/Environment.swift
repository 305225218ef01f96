import Foundation

/// The environment; an empty variable counts as missing.
package enum Environment {
  package static func value(_ name: String) -> String? {
    guard let text = getenv(name).map({ String(cString: $0) }), !text.isEmpty else { return nil }
    return text
  }

  /// A relative home is ignored.
  package static var home: String? { value("HOME").flatMap { $0.hasPrefix("/") ? $0 : nil } }
}
