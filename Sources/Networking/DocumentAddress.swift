import FeedModel

/// What validators belong to: an address and whom it answered to. The same address may give
/// everybody another document, so a user's validators are no other user's. The password is no part
/// of it.
enum DocumentAddress {
  /// - Parameter user: as written in an address; nil: the one in `url`, if any.
  static func of(_ url: String, user: String? = nil) -> String {
    var address = WebAddress(url)
    let user = user ?? address.userInfo.map { String($0.prefix { $0 != ":" }) }
    address = address.withoutUserInfo
    address.fragment = nil
    if let user, !user.isEmpty, let authority = address.authority {
      address.authority = "\(user)@\(authority)"
    }
    return address.text
  }
}
