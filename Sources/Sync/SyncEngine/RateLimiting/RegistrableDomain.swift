import CPSL

/// The registrable domain of a host: `example.co.uk` for `feeds.example.co.uk`, and `a.github.io`
/// for itself, because its siblings have other owners. Uses the Public Suffix List of libpsl
/// (<doc:0022-addresses-own-and-borrowed>).
enum RegistrableDomain {
  /// Returns the domain; `nil` for a numeric address, a name without a dot, or a public suffix.
  /// - Parameter host: a host as `WebAddress.hostKey` returns it.
  static func of(_ host: String) -> String? {
    // libpsl treats the last label of any name as a suffix.
    guard host.contains("."), !host.hasPrefix("["),
      host.utf8.last.map({ (0x30...0x39).contains($0) }) == false
    else { return nil }
    // The result points into the argument.
    return host.withCString {
      psl_registrable_domain(psl_builtin(), $0).map { String(cString: $0) }
    }
  }
}
