internal import CBuild
internal import FeedStore
internal import NcursesTerminal
internal import Networking

/// What this program calls itself, to people and to servers.
enum Program {
  static let version = "0.1.0"
  /// The day of the version, for the manual page.
  static let date = "2026-11-24"
  static let address = "https://github.com/weir-reader/weir"
  /// Sent with each request, so that an operator knows whom to write to.
  static let userAgent = "Weir/\(version) (+\(address))"

  /// What `--version` prints: version and commit, then the libraries in use.
  static var description: String {
    let commit = String(cString: weir_build_commit())
    return """
      weir \(version)\(commit.isEmpty ? "" : " (\(commit))")
      SQLite \(FeedStore.libraryVersion)
      \(NcursesTerminal.libraryVersion)
      \(CurlTransport.libraryVersion)
      """
  }
}
