import CCurl
import Foundation

// Translates requests to libcurl options.

extension CurlEasy {
  /// Sets the options of a request, but not the callbacks.
  func configure(_ job: CurlJob, _ settings: CurlSettings) throws(TransportError) {
    let request = job.request
    try setHeaders(Self.headerLines(request))
    set(CURLOPT_URL, job.target.url)
    set(CURLOPT_USERAGENT, request.identity.userAgent ?? settings.userAgent)
    switch request.identity.proxy {
    case .environment: break
    case .none: set(CURLOPT_PROXY, "")
    case .server(let address, let hasExceptions):
      set(CURLOPT_PROXY, address)
      // An empty value overrides `no_proxy` in the environment, too.
      if !hasExceptions { set(CURLOPT_NOPROXY, "") }
    }
    // An empty value offers all encodings that the library can decode.
    if request.decodesBody { set(CURLOPT_ACCEPT_ENCODING, "") }
    weir_curl_allow_only_http(handle)
    weir_curl_abandon_lookups(handle)
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_PATH_AS_IS, 1)
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    // A second request to a host waits for the connection of the first if both can share it.
    set(CURLOPT_PIPEWAIT, job.target.scheme == "https" ? 1 : 0)
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    set(CURLOPT_SSL_VERIFYPEER, 1)
    set(CURLOPT_SSL_VERIFYHOST, 2)
    if let path = settings.certificates {
      set(CURLOPT_CAINFO, path)
      weir_curl_set_string(handle, CURLOPT_CAPATH, nil)
    }
    if let credentials = job.credentials {
      set(CURLOPT_USERNAME, credentials.user)
      set(CURLOPT_PASSWORD, credentials.password)
      switch job.scheme {
      case .asked: weir_curl_set_authentication(handle, weir_curl_basic | weir_curl_digest)
      case .basic: weir_curl_set_authentication(handle, weir_curl_basic)
      case .digest: weir_curl_set_authentication(handle, weir_curl_digest)
      }
    }
    set(CURLOPT_CONNECTTIMEOUT_MS, Self.milliseconds(request.limits.connect))

    if job.onlyConnects { set(CURLOPT_CONNECT_ONLY, 1) }
    if job.tunnels { set(CURLOPT_HTTPPROXYTUNNEL, 1) }
    switch request.method {
    case .get: set(CURLOPT_HTTPGET, 1)
    case .head: set(CURLOPT_NOBODY, 1)
    case .post: setBody(request.body ?? [])
    }
  }

  private static func milliseconds(_ seconds: Double) -> Int {
    max(1, Int(min(seconds, 1e6) * 1_000))
  }

  private static func headerLines(_ request: HTTPRequest) throws(TransportError) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    for (name, value) in request.headers {
      // libcurl expects a semicolon after the name of a header without a value.
      let line =
        value.isEmpty
        ? Array(name.utf8) + [UInt8(ascii: ";")]
        : Array(name.utf8) + Array(": ".utf8) + HeaderText.encode(value)
      guard !name.isEmpty, line.allSatisfy({ ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }) else {
        throw TransportError(.other, detail: "a control character in the header \(name)".printable)
      }
      lines.append(line)
    }
    if !request.decodesBody { lines.append(Array("Accept-Encoding: identity".utf8)) }
    if request.method == .post {
      // Sends no "Expect: 100-continue" and no default form type.
      lines.append(Array("Expect:".utf8))
      if !request.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
        lines.append(Array("Content-Type:".utf8))
      }
    }
    return lines
  }
}

extension CurlJob {
  var isBehindProxy: Bool {
    switch request.identity.proxy {
    case .environment:
      ProxyEnvironment.current.usesProxy(scheme: target.scheme, host: target.host)
    case .none: false
    case .server(_, let hasExceptions):
      !hasExceptions || !ProxyEnvironment.current.exempts(target.host)
    }
  }
}
