import CCurl
import Foundation

/// Finds a single file of trusted certificates, which libcurl parses once. A folder, Debian's
/// default, costs 23 ms of CPU per connection.
enum CertificateBundle {
  /// The path of the file; `nil` for the library's default.
  static let path = find(
    environment: ProcessInfo.processInfo.environment,
    builtIn: weir_curl_default_ca_file().map { String(cString: $0) },
    isReadable: { access($0, R_OK) == 0 })

  static func find(
    environment: [String: String], builtIn: String?, isReadable: (String) -> Bool
  ) -> String? {
    // The user's file is used even if unreadable, because an error is better than unwanted trust.
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
