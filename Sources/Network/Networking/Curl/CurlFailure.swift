import CCurl
import Foundation

/// Maps libcurl's error codes.
enum CurlFailure {
  /// - Parameters:
  ///   - system: `errno` of the last connect; 0 if there was none.
  ///   - isConnected: true if the request was about to be sent.
  ///   - isLocal: true if the host is this machine, which needs no network.
  static func kind(
    _ code: CURLcode, system: Int32, isBehindProxy: Bool, isConnected: Bool, isLocal: Bool
  ) -> TransportError.Kind {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST:
      return isLocal || LocalNetwork.isUp ? .hostNotFound : .offline
    case CURLE_COULDNT_RESOLVE_PROXY: return LocalNetwork.isUp ? .proxy : .offline
    case CURLE_PROXY: return .proxy
    case CURLE_COULDNT_CONNECT:
      switch system {
      case ENETUNREACH, ENETDOWN: return .offline
      case _ where isBehindProxy: return .proxy
      case ETIMEDOUT, EHOSTUNREACH, EHOSTDOWN: return .connectTimedOut
      default:
        return isLocal || LocalNetwork.isUp ? .connectionRefused : .offline
      }
    case CURLE_OPERATION_TIMEDOUT: return isConnected ? .stalled : .connectTimedOut
    case CURLE_PARTIAL_FILE: return .truncated
    // libcurl's decoders report either code.
    case CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR: return .badEncoding
    case CURLE_URL_MALFORMAT: return .badURL
    // The scheme has been checked before, so libcurl means an HTTP/0.9 answer.
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY: return .notHTTP
    case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
      return .connectionLost
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM,
      CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CRL_BADFILE,
      CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED,
      CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
      CURLE_USE_SSL_FAILED, CURLE_SSL_CLIENTCERT:
      return .tls
    default: return .other
    }
  }
}

/// Detects whether this machine has a network.
enum LocalNetwork {
  /// True if an interface other than loopback is up with a routable address. Used after failures
  /// only.
  static var isUp: Bool {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return true }
    defer { freeifaddrs(list) }
    var next = list
    while let entry = next {
      next = entry.pointee.ifa_next
      let flags = Int32(truncatingIfNeeded: entry.pointee.ifa_flags)
      guard flags & Int32(IFF_UP) != 0, flags & Int32(IFF_LOOPBACK) == 0,
        let address = entry.pointee.ifa_addr
      else { continue }
      switch Int32(address.pointee.sa_family) {
      case AF_INET: return true
      case AF_INET6:
        let isLinkLocal = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
          withUnsafeBytes(of: $0.pointee.sin6_addr) { $0[0] == 0xFE && $0[1] & 0xC0 == 0x80 }
        }
        if !isLinkLocal { return true }
      default: continue
      }
    }
    return false
  }
}

extension String {
  var printable: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }
}

extension RequestTarget {
  var isThisMachine: Bool {
    host == "localhost" || host.hasSuffix(".localhost") || host == "::1" || host.hasPrefix("127.")
  }
}
