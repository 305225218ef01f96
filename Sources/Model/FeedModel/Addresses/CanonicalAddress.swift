extension WebAddress {
  /// The address of a page without the parts that differ between feeds, for comparing pages; not
  /// for fetching. `nil` without a host, or for the front page of a site.
  ///
  /// Treats as equal: http and https, hosts with and without `www.`, paths with and without a final
  /// slash or an AMP suffix. Removes tracking parameters; the others keep their order. Keeps a
  /// fragment, which may name one of many items (`#comment-12`), unless it is a part of every page,
  /// a tracking parameter or a quotation (`#:~:text=`).
  public var canonical: String? {
    guard scheme == "http" || scheme == "https", let authority else { return nil }
    // Works on bytes: Characters would cost more than the hash of the result.
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
    if let fragment, !Self.partsOfPages.contains(fragment), !fragment.hasPrefix(":~:"),
      !Self.isTracking(fragment.utf8[...])
    {
      out.append(UInt8(ascii: "#"))
      out.append(contentsOf: fragment.utf8)
    }
    return out.count > host ? String(decoding: out, as: UTF8.self) : nil
  }

  /// The names that WordPress and Disqus give the comments.
  private static let partsOfPages: Set<String> = [
    "", "top", "comments", "respond", "disqus_thread",
  ]

  private static let trackingNames: Set<String> = [
    "fbclid", "gclid", "dclid", "msclkid", "yclid", "igshid", "mc_cid", "mc_eid", "_hsenc", "_hsmi",
    "mkt_tok", "oly_anon_id", "oly_enc_id", "vero_id", "wickedid", "xtor", "cmpid", "ncid",
    "guccounter", "amp", "outputtype", "echobox",
  ]
  private static let trackingPrefixes = ["utm_", "at_", "pk_", "mtm_", "hsa_"]

  private static func isTracking(_ parameter: Substring.UTF8View) -> Bool {
    let name = String(Substring(parameter.prefix { $0 != UInt8(ascii: "=") })).lowercased()
    return trackingNames.contains(name)
      || trackingPrefixes.contains { name.utf8.starts(with: $0.utf8) }
  }
}

extension [UInt8] {
  /// Removes the suffix if at least `start` bytes precede it.
  fileprivate mutating func drop(_ suffix: String.UTF8View, after start: Int) {
    guard count - start >= suffix.count, self.suffix(suffix.count).elementsEqual(suffix) else {
      return
    }
    removeLast(suffix.count)
  }
}
