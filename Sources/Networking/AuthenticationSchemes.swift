import Synchronization

/// How a name and a password are sent (RFC 7617, RFC 7616).
enum AuthenticationScheme: Sendable {
  /// Nothing is sent until the origin asks; then the stronger of what it takes.
  case asked
  /// At once: one exchange instead of two.
  case basic
  /// The origin's nonce has to be asked for each time.
  case digest
}

/// Which scheme each origin took, so that it is asked once and not at every fetch. Where TLS hides
/// it Basic is sent unasked; in the clear it is not, as the origin may be one that takes Digest and
/// would never have seen the password.
final class AuthenticationSchemes: Sendable {
  private let known = Mutex<[String: AuthenticationScheme]>([:])

  func scheme(for target: RequestTarget, user: String) -> AuthenticationScheme {
    known.withLock { $0[Self.key(target, user)] } ?? (target.scheme == "https" ? .basic : .asked)
  }

  func learn(_ scheme: AuthenticationScheme, _ target: RequestTarget, user: String) {
    known.withLock { $0[Self.key(target, user)] = scheme }
  }

  func forget(_ target: RequestTarget, user: String) {
    known.withLock { $0[Self.key(target, user)] = nil }
  }

  private static func key(_ target: RequestTarget, _ user: String) -> String {
    "\(target.origin) \(user)"
  }
}

extension HTTPResponse {
  /// Whether a refusal offers Digest (RFC 9110, §11.6.1; several challenges may share a line).
  var offersDigest: Bool {
    headers.contains { $0.name == "www-authenticate" && $0.value.lowercased().contains("digest") }
  }
}
