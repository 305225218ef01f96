import FeedModel

/// Builds the key of validators: an address and its user without the password, because each user
/// may get another document.
enum DocumentAddress {
  /// - Parameter user: percent-encoded, as in an address; `nil` for the user of `url`.
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
