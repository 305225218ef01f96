import CCurl
import Foundation

/// Where the certificates of the authorities are, as one file. libcurl parses a file once and
/// shares it between connections; a folder of certificates, which Debian sets by default, turns
/// that cache off: 23 ms of CPU for each connection.
enum CertificateBundle {
  /// The file, or nil if the library has to know best.
  static let path = find(
    environment: ProcessInfo.processInfo.environment,
    builtIn: weir_curl_default_ca_file().map { String(cString: $0) },
    isReadable: { access($0, R_OK) == 0 })

  static func find(
    environment: [String: String], builtIn: String?, isReadable: (String) -> Bool
  ) -> String? {
    // What the user names is taken even where it cannot be read: an error is better than trust in
    // authorities that they meant to replace.
    for name in ["CURL_CA_BUNDLE", "SSL_CERT_FILE"] {
      if let path = environment[name], !path.isEmpty { return path }
    }
    let usual = [
      "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
      "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem", "/usr/local/share/certs/ca-root-nss.crt",
      "/opt/homebrew/etc/ca-certificates/cert.pem",
    ]
    return ((builtIn.map { [$0] } ?? []) + usual).first(where: isReadable)
  }
}
