extension WebAddress {
  /// The address of a page without what different feeds add to it, to find out whether two of them
  /// mean the same page; not for fetching. Nil if the address names no page of its own: no host,
  /// or the front page of a site.
  ///
  /// Alike are http and https, hosts with and without `www.`, paths with and without a slash at the
  /// end or an AMP suffix. Parameters that only count who came from where are left out, the others
  /// keep their order; a fragment counts only where a page is known to be chosen by it (`#!`,
  /// `#/`).
  public var canonical: String? {
    guard scheme == "http" || scheme == "https", let authority else { return nil }
    // Bytes: characters cost more than the hash that is made of the result.
    var out = Array(authority.lowercased().utf8)
    if let end = out.lastIndex(of: UInt8(ascii: "@")) { out.removeFirst(end + 1) }
    for port in [":80", ":443"] { out.drop(port.utf8, after: 0) }
    if out.starts(with: "www.".utf8) { out.removeFirst(4) }
    guard !out.isEmpty else { return nil }

    let host = out.count
    out.append(contentsOf: path.utf8)
    while out.count > host, out.last == UInt8(ascii: "/") { out.removeLast() }
    for suffix in ["/amp", "/amp.html"] { out.drop(suffix.utf8, after: host) }
    if let query {
      var separator = UInt8(ascii: "?")
      for parameter in query.utf8.split(separator: UInt8(ascii: "&"))
      where !Self.isTracking(parameter) {
        out.append(separator)
        out.append(contentsOf: parameter)
        separator = UInt8(ascii: "&")
      }
    }
    if let fragment, fragment.utf8.first == UInt8(ascii: "!") || fragment.utf8.first == 0x2F {
      out.append(UInt8(ascii: "#"))
      out.append(contentsOf: fragment.utf8)
    }
    return out.count > host ? String(decoding: out, as: UTF8.self) : nil
  }

  private static let trackingNames: Set<String> = [
    "fbclid", "gclid", "dclid", "msclkid", "yclid", "igshid", "mc_cid", "mc_eid", "_hsenc", "_hsmi",
    "mkt_tok", "oly_anon_id", "oly_enc_id", "vero_id", "wickedid", "xtor", "cmpid", "ncid",
    "guccounter", "amp", "outputtype",
  ]
  private static let trackingPrefixes = ["utm_", "at_", "pk_", "mtm_", "hsa_"]

  private static func isTracking(_ parameter: Substring.UTF8View) -> Bool {
    let name = String(Substring(parameter.prefix { $0 != UInt8(ascii: "=") })).lowercased()
    return trackingNames.contains(name)
      || trackingPrefixes.contains { name.utf8.starts(with: $0.utf8) }
  }
}

extension [UInt8] {
  /// Removes what it ends in, where at least `start` bytes come before that.
  fileprivate mutating func drop(_ suffix: String.UTF8View, after start: Int) {
    guard count - start >= suffix.count, self.suffix(suffix.count).elementsEqual(suffix) else {
      return
    }
    removeLast(suffix.count)
  }
}
