import Foundation

/// Predicts whether libcurl uses the environment's proxy for an address. Behind a proxy, the
/// connected address says nothing about the origin.
struct ProxyEnvironment: Sendable {
  private let variables: [String: String]

  init(_ variables: [String: String]) { self.variables = variables }

  static let current = ProxyEnvironment(ProcessInfo.processInfo.environment)

  private func value(_ names: String...) -> String? {
    names.lazy.compactMap { variables[$0] }.first { !$0.isEmpty }
  }

  /// - Parameter host: a host without brackets.
  func usesProxy(scheme: String, host: String) -> Bool { proxy(scheme) != nil && !exempts(host) }

  private func proxy(_ scheme: String) -> String? {
    // libcurl does not read upper-case HTTP_PROXY, because it may be a header of a CGI request.
    scheme == "http"
      ? value("http_proxy", "all_proxy", "ALL_PROXY")
      : value("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
  }

  /// Resolves the choice for a scheme to a named proxy, which requests with another scheme can use.
  func named(_ choice: ProxyChoice, for scheme: String) -> ProxyChoice {
    guard choice == .environment else { return choice }
    guard let proxy = proxy(scheme) else { return ProxyChoice.none }
    return .server(proxy, hasExceptions: true)
  }

  /// Returns true if `no_proxy` names the host.
  func exempts(_ host: String) -> Bool {
    guard let exceptions = value("no_proxy", "NO_PROXY") else { return false }
    if exceptions == "*" { return true }
    return exceptions.lowercased().split(whereSeparator: { $0 == "," || $0 == " " }).contains {
      let name = $0.drop { $0 == "." }
      return host == name || host.hasSuffix("." + name) || Self.network($0, contains: host)
    }
  }

  /// Returns true for an address in a network such as `192.168.0.0/16` or `fd00::/8`, by libcurl's
  /// rules since 7.86.
  private static func network(_ text: Substring, contains host: String) -> Bool {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let bits = Int(parts[1]), let address = AddressScope.bytes(of: host),
      let network = AddressScope.bytes(of: String(parts[0])), address.count == network.count,
      (1...address.count * 8).contains(bits)
    else { return false }
    return (0..<bits).allSatisfy { bit in
      (address[bit / 8] ^ network[bit / 8]) & (0x80 >> UInt8(bit % 8)) == 0
    }
  }
}
