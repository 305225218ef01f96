import CCurl
import Foundation

// Reads the results of ended transfers.

extension CurlEasy {
  /// The strongest scheme that the origin offered; `nil` if it did not ask.
  var offeredScheme: AuthenticationScheme? {
    let offered = UInt(bitPattern: long(CURLINFO_HTTPAUTH_AVAIL))
    // libcurl uses the stronger of the two.
    if offered & weir_curl_digest != 0 { return .digest }
    return offered & weir_curl_basic != 0 ? .basic : nil
  }

  /// The library's metrics, without the received bytes of headers and TLS.
  var metrics: TransferMetrics {
    let tls = seconds(CURLINFO_APPCONNECT_TIME_T)
    var metrics = TransferMetrics()
    metrics.nameLookup = seconds(CURLINFO_NAMELOOKUP_TIME_T)
    metrics.connect = isNewConnection ? connectTime : nil
    metrics.tls =
      isNewConnection && tls > 0 ? max(0, tls - seconds(CURLINFO_CONNECT_TIME_T)) : nil
    metrics.firstByte = seconds(CURLINFO_STARTTRANSFER_TIME_T)
    metrics.total = seconds(CURLINFO_TOTAL_TIME_T)
    metrics.bytesReceived = Int64(offset(CURLINFO_SIZE_DOWNLOAD_T))
    metrics.bytesSent = Int64(long(CURLINFO_REQUEST_SIZE)) + Int64(offset(CURLINFO_SIZE_UPLOAD_T))
    metrics.remoteAddress = string(CURLINFO_PRIMARY_IP)
    metrics.remotePort = long(CURLINFO_PRIMARY_PORT)
    metrics.httpVersion = httpVersion
    return metrics
  }

  /// The round-trip time of a reused connection in seconds; `nil` for a new one.
  var roundTrip: (seconds: Double, least: Double)? {
    isNewConnection ? nil : SocketFacts.roundTrip(socket)
  }

  var connectTime: Double {
    max(0, seconds(CURLINFO_CONNECT_TIME_T) - seconds(CURLINFO_NAMELOOKUP_TIME_T))
  }

  var isNewConnection: Bool { long(CURLINFO_NUM_CONNECTS) > 0 }

  var httpVersion: String? {
    switch long(CURLINFO_HTTP_VERSION) {
    case Int(CURL_HTTP_VERSION_1_0): "1.0"
    case Int(CURL_HTTP_VERSION_1_1): "1.1"
    case Int(CURL_HTTP_VERSION_2_0): "2"
    default: nil
    }
  }

  /// `CURLE_TOO_LARGE`, which libcurl has had since 8.6.
  private static let tooLarge: UInt32 = 100

  private var isConnected: Bool { offset(CURLINFO_PRETRANSFER_TIME_T) > 0 }

  /// Returns true if a header line or a trailer (which has no error code) exceeds libcurl's limit.
  func hasTooLargeHeaders(_ code: CURLcode) -> Bool {
    isConnected
      && (code == CURLE_OUT_OF_MEMORY || code.rawValue == Self.tooLarge
        || code == CURLE_RECV_ERROR && describe(code).hasPrefix("Out of memory"))
  }

  func failure(_ code: CURLcode, of job: CurlJob) -> TransportError {
    // A CONNECT that the proxy refused never reached the origin.
    let answer = long(CURLINFO_HTTP_CONNECTCODE)
    guard answer < 300 else { return TransportError(.proxy, detail: "it answered \(answer)") }
    let kind = CurlFailure.kind(
      code, system: Int32(truncatingIfNeeded: long(CURLINFO_OS_ERRNO)),
      isBehindProxy: job.isBehindProxy, isConnected: isConnected,
      isLocal: job.target.isThisMachine)
    guard kind != .proxy else {
      return TransportError(
        kind, detail: code == CURLE_PROXY ? "" : FailureDetail.proxyUnreachable.code)
    }
    return TransportError(kind, detail: describe(code).printable)
  }
}
