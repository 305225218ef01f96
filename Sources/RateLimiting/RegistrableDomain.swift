import CPSL

/// The registrable domain that a host belongs to: `example.co.uk` for
/// `feeds.example.co.uk`, and `a.github.io` for itself, as its siblings are strangers. By the
/// Public Suffix List that libpsl carries (<doc:0022-addresses-own-and-borrowed>).
enum RegistrableDomain {
  /// Returns `nil` for a numeric address, a name without a dot, and a public suffix.
  /// - Parameter host: its `WebAddress.hostKey`.
  static func of(_ host: String) -> String? {
    // The list takes the last label of any name for a suffix.
    guard host.contains("."), !host.hasPrefix("["),
      host.utf8.last.map({ (0x30...0x39).contains($0) }) == false
    else { return nil }
    // The answer points into the name.
    return host.withCString {
      psl_registrable_domain(psl_builtin(), $0).map { String(cString: $0) }
    }
  }
}
