import Synchronization

/// The scheme of authorization (RFC 7617, RFC 7616).
enum AuthenticationScheme: Sendable {
  /// Sends no credentials until the origin asks, then the stronger scheme.
  case asked
  /// Sends the credentials unasked, which saves one exchange.
  case basic
  /// Sends the credentials after a request for the origin's nonce.
  case digest
}

/// Remembers the scheme that each origin accepted. Basic is sent unasked over TLS only: an
/// unencrypted origin may support Digest, which hides the password.
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
  /// True if a refusal offers Digest (RFC 9110, §11.6.1; several challenges may share a line).
  var offersDigest: Bool {
    headers.contains { $0.name == "www-authenticate" && $0.value.lowercased().contains("digest") }
  }
}
