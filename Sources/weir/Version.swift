/// What this program calls itself, to people and to servers.
enum Program {
  static let version = "0.1.0"
  static let address = "https://github.com/weir-reader/weir"
  /// Sent with each request, so that an operator knows whom to write to.
  static let userAgent = "Weir/\(version) (+\(address))"
}
