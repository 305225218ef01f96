/// The origin of an address, which decides whether its requests carry the user's credentials and
/// whether they may reach private servers. An address that the user entered may do both. An address
/// from a document is restricted.
struct AddressSource: Sendable {
  /// The documents that contain the address; empty if the user entered it. Credentials are sent
  /// only if every referrer is below the configured address.
  var referrers: [String] = []
  var access = PrivateAccess.allowed

  static let user = AddressSource()
}

extension AddressSource {
  /// Creates the source of an address in an article. Only the feed's own host may lead into a
  /// private network, and only to the server that answered the feed: DNS may answer each request
  /// differently.
  init(_ named: AddressReferrers, of url: String) {
    let feed = named.feed ?? ""
    let documents = [feed] + named.pages
    referrers = documents + [named.list].compactMap(\.self)
    access = .denied
    guard let host = WebAddress(url).hostKey,
      documents.allSatisfy({ WebAddress($0).hostKey == host }),
      named.list.map(WebAddress.init).map({ $0.hostKey == host || $0.isPrivate }) ?? true
    else { return }
    access = Self.only(WebAddress(feed), answeredBy: named.server)
  }

  /// - Parameter server: the private server that answered last at `address`.
  fileprivate static func only(_ address: WebAddress, answeredBy server: String?) -> PrivateAccess {
    // A numeric address needs no DNS.
    if let host = address.host, let port = address.port,
      let literal = ServerAddress(address: host, port: port)
    {
      return .only(literal)
    }
    return server.flatMap(ServerAddress.init).map(PrivateAccess.only) ?? .denied
  }
}

extension FetchRecord {
  /// The source of the feed's address. A feed that was named by a list on the Internet may lead
  /// into a private network only if it is on the list's host, and only to the private server that
  /// answered the list.
  var addressSource: AddressSource {
    guard let listURL else { return .user }
    if WebAddress(listURL).isPrivate {
      return AddressSource(referrers: [listURL], access: .allowed)
    }
    return AddressSource(AddressReferrers(feed: listURL, server: listServer), of: url)
  }
}

extension WebAddress {
  /// True if the host is written as an address in a private network.
  fileprivate var isPrivate: Bool { host.flatMap(AddressScope.isPublic) == false }
}

extension DocumentResponse {
  /// Returns the source of an address that this page announces. The address may lead into a private
  /// network if the page is in one, or if a proxy hides the page's server and the host is the same.
  /// - Parameter asked: the address that was requested; redirects led from it to this page.
  func source(of url: String, asked: String) -> AddressSource {
    let isPublic = metrics.remoteAddress.flatMap(AddressScope.isPublic)
    let isOwnHost = WebAddress(url).hostKey == WebAddress(finalURL).hostKey
    return AddressSource(
      referrers: [asked, finalURL],
      access: isPublic == false || isPublic == nil && isOwnHost ? .allowed : .denied)
  }
}
