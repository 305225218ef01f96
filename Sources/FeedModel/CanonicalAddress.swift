extension WebAddress {
  /// The address of a page without what different feeds add to it, for telling whether two of them
  /// mean the same page; not for fetching. Nil where the address names no page of its own: no host,
  /// or the front page of a site.
  ///
  /// Alike are http and https, hosts with and without `www.`, paths with and without a slash at the
  /// end or an AMP suffix. Parameters that only count who came from where are left out, the others
  /// keep their order; a fragment counts only where a page is known to be chosen by it (`#!`,
  /// `#/`).
  public var canonical: String? {
    guard scheme == "http" || scheme == "https", let authority else { return nil }
    var host = Substring(authority.lowercased())
    if let end = host.lastIndex(of: "@") { host = host[host.index(after: end)...] }
    for port in [":80", ":443"] where host.hasSuffix(port) { host = host.dropLast(port.count) }
    if host.hasPrefix("www.") { host = host.dropFirst(4) }
    guard !host.isEmpty else { return nil }

    var path = path[...]
    while path.hasSuffix("/") { path = path.dropLast() }
    for suffix in ["/amp", "/amp.html"] where path.hasSuffix(suffix) {
      path = path.dropLast(suffix.count)
    }
    let parameters = (query ?? "").split(separator: "&").filter { !Self.isTracking($0) }
    let anchor = fragment.flatMap { $0.hasPrefix("!") || $0.hasPrefix("/") ? "#" + $0 : nil } ?? ""
    guard !path.isEmpty || !parameters.isEmpty || !anchor.isEmpty else { return nil }
    let list = parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&")
    return host + path + list + anchor
  }

  private static let trackingNames: Set<Substring> = [
    "fbclid", "gclid", "dclid", "msclkid", "yclid", "igshid", "mc_cid", "mc_eid", "_hsenc", "_hsmi",
    "mkt_tok", "oly_anon_id", "oly_enc_id", "vero_id", "wickedid", "xtor", "cmpid", "ncid",
    "guccounter", "amp", "outputtype",
  ]
  private static let trackingPrefixes = ["utm_", "at_", "pk_", "mtm_", "hsa_"]

  private static func isTracking(_ parameter: Substring) -> Bool {
    let name = Substring(parameter.prefix { $0 != "=" }.lowercased())
    return trackingNames.contains(name) || trackingPrefixes.contains { name.hasPrefix($0) }
  }
}
