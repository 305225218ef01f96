internal import CBuild
internal import FeedStore
internal import NcursesTerminal
internal import Networking

enum Program {
  static let version = "0.1.0"
  /// The date in the manual page.
  static let date = "2026-11-24"
  static let address = "https://github.com/weir-reader/weir"
  static let userAgent = "Weir/\(version) (+\(address))"

  /// The output of `--version`: version and commit, then the libraries.
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
