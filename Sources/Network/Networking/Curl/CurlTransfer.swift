import CCurl
import Foundation
import TextRules

/// A transfer: its easy handle, received data and callbacks. Confined to the transport's thread.
final class CurlTransfer {
  let id: UInt64
  let easy: CurlEasy
  private let job: CurlJob
  private let isBehindProxy: Bool

  private var headers: [(name: String, value: String)] = []
  private var body: [UInt8] = []
  private var sink: (any BodySink)?
  private var decodedBytes = 0
  /// The maximum of bytes reserved for an announced length.
  private static let mostReserved = 1 << 20
  private var contentEnd: ContentEnd?
  private var isFramed = false
  /// True after the headers; later header lines are trailers.
  private var hasAllHeaders = false
  private var headerBytes = 0
  /// Bytes of bodies before decompression, including answers that libcurl handles itself.
  private var bodyBytes: Int64 = 0
  /// Bytes of TLS handshakes, as far as the library reports them.
  private var tlsBytes: Int64 = 0
  private var lastBodyCount: Int64 = 0
  /// Bytes of this answer's body, including the framing of its chunks.
  private var framedBytes: Int64 = 0
  private var hasExcessFraming = false
  /// The bytes of framing allowed beyond the body's size: 200,000 chunks of one byte.
  private static let allowedFraming: Int64 = 1 << 20
  private var (hasReportedConnect, hasFirstByte) = (false, false)
  /// The time of the request by the loop's clock, after lookup, connection and TLS handshake.
  private var requestedAt: Double?
  private var meter: StallMeter
  private var budget: TimeBudget
  /// The budget by `MinimumRate` and the bytes received before; `nil` until the answer begins.
  private var pace: (budget: TimeBudget, before: Int64)?
  private var (isTooSlow, isLate) = (false, false)
  private var (hasStarted, hasAnswered) = (false, false)
  private var isPaused = false
  /// The error of a callback that aborted the transfer.
  private var refusal: TransportError?

  init(_ job: CurlJob, settings: CurlSettings, now: Double) throws(TransportError) {
    easy = try CurlEasy()
    self.job = job
    id = job.id
    isBehindProxy = job.isBehindProxy
    meter = StallMeter(silence: job.request.limits.silence, now: now)
    budget = TimeBudget(seconds: job.request.limits.total, now: now)
    if let server = ServerAddress(address: job.target.host, port: job.target.port),
      !job.request.privateAccess.admits(server)
    {
      throw TransportError(.forbiddenAddress, detail: job.target.host)
    }
    try easy.configure(job, settings)
    setCallbacks()
  }

  func finish(_ result: Result<HTTPResponse, TransportError>) {
    job.continuation.resume(returning: result)
  }

  private func setCallbacks() {
    let handle = easy.handle
    let me = Unmanaged.passUnretained(self).toOpaque()
    weir_curl_set_pointer(handle, CURLOPT_WRITEDATA, me)
    weir_curl_set_write(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, me in
      let transfer = CurlTransfer.at(me)
      // libcurl reads up to 100 buffers before it reports progress.
      guard transfer.progressed(transfer.easy.offset(CURLINFO_SIZE_DOWNLOAD_T)) else { return 0 }
      // libcurl keeps these bytes and reads no more. The token pauses before the loop does.
      if transfer.isPaused || transfer.job.request.pauseToken?.isPaused == true {
        return Int(CURL_WRITEFUNC_PAUSE)
      }
      return transfer.wrote(UnsafeRawBufferPointer(start: bytes, count: size * count))
        ? size * count : 0
    }
    weir_curl_set_pointer(handle, CURLOPT_HEADERDATA, me)
    weir_curl_set_write(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, me in
      CurlTransfer.at(me).sawHeader(UnsafeRawBufferPointer(start: bytes, count: size * count))
        ? size * count : 0
    }
    easy.set(CURLOPT_NOPROGRESS, 0)
    weir_curl_set_pointer(handle, CURLOPT_XFERINFODATA, me)
    weir_curl_set_progress(handle) { me, _, received, _, _ in
      CurlTransfer.at(me).progressed(received) ? 0 : 1
    }
    // Only the debug callback sees a body before decompression.
    easy.set(CURLOPT_VERBOSE, 1)
    weir_curl_set_pointer(handle, CURLOPT_DEBUGDATA, me)
    weir_curl_set_debug(handle) { _, kind, bytes, count, me in
      switch kind {
      case CURLINFO_DATA_IN:
        CurlTransfer.at(me).sawRaw(UnsafeRawBufferPointer(start: bytes, count: count))
      case CURLINFO_SSL_DATA_IN: CurlTransfer.at(me).sawHandshake(count)
      default: break
      }
      return 0
    }
    weir_curl_set_pointer(handle, CURLOPT_OPENSOCKETDATA, me)
    weir_curl_set_open_socket(handle) { me, _, address in
      guard let address else { return CURL_SOCKET_BAD }
      return CurlTransfer.at(me).openSocket(address)
    }
    weir_curl_set_pointer(handle, CURLOPT_PREREQDATA, me)
    weir_curl_set_before_request(handle) { me, ip, _, port, _ in
      CurlTransfer.at(me).mayUse(
        ip.flatMap { ServerAddress(address: String(cString: $0), port: Int(port)) })
        ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
    }
  }

  private static func at(_ pointer: UnsafeMutableRawPointer?) -> CurlTransfer {
    guard let pointer else { preconditionFailure("libcurl lost the data of a callback") }
    return Unmanaged<CurlTransfer>.fromOpaque(pointer).takeUnretainedValue()
  }

  // MARK: Callbacks

  /// The limit of this answer's body in bytes. A file's higher limit does not apply to redirects
  /// and refusals, whose bodies stay in memory.
  private var limit: Int {
    let limit = job.request.limits.decodedBody
    guard job.request.sink != nil, sink == nil else { return limit }
    return min(limit, TransferLimits().decodedBody)
  }

  /// Observes the raw body. If libcurl hides the framing of chunks, only time limits apply to it.
  private func sawRaw(_ bytes: UnsafeRawBufferPointer) {
    framedBytes += Int64(bytes.count)
    let content = Int64(easy.offset(CURLINFO_SIZE_DOWNLOAD_T))
    // This callback cannot end the transfer; the next one does.
    if framedBytes - content > Self.allowedFraming + content { hasExcessFraming = true }
    contentEnd?.sawRaw(bytes)
  }

  /// False if the framing outweighs the content; the transfer is then refused.
  private var acceptsFraming: Bool {
    guard hasExcessFraming else { return true }
    refusal = TransportError(
      .tooMuchFraming, detail: "\(lastBodyCount) bytes in \(framedBytes) bytes of chunks")
    return false
  }

  /// Handles decoded bytes. Returns false to refuse the rest.
  private func wrote(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard acceptsFraming else { return false }
    decodedBytes += bytes.count
    guard decodedBytes <= limit else {
      refusal = TransportError(.tooLarge, detail: "more than \(limit) bytes")
      return false
    }
    contentEnd?.sawDecoded(bytes)
    guard let sink else {
      body.append(contentsOf: bytes)
      return true
    }
    if sink.write(bytes) { return true }
    refusal = TransportError(.notStored)
    return false
  }

  private func sawHeader(_ line: UnsafeRawBufferPointer) -> Bool {
    if !hasFirstByte {
      hasFirstByte = true
      // libcurl updates its own times only after this callback.
      if let requestedAt { job.observe?(.firstByte(CurlLoop.now - requestedAt)) }
    }
    headerBytes += line.count
    job.observe?(.received(line.count))
    guard headerBytes <= job.request.limits.headers else {
      refusal = headersTooLarge
      return false
    }
    if line.starts(with: "HTTP/".utf8) {
      // A status line starts a new answer; libcurl handled an interim answer or a request for a
      // password.
      headers = []
      body = []
      (sink, decodedBytes) = (nil, 0)
      (framedBytes, hasExcessFraming) = (0, false)
      contentEnd = nil
      hasAllHeaders = false
      return true
    }
    if hasAllHeaders { return true }
    let text = line.trimmed
    if text.isEmpty {
      return line.allSatisfy { $0 == 0x0D || $0 == 0x0A } ? startBody() : true
    }
    if line[0] == 0x20 || line[0] == 0x09 {
      // A folded line continues the previous value (RFC 9112, §5.2).
      guard var last = headers.popLast() else { return true }
      last.value += " " + HeaderText.decode(text)
      headers.append(last)
      return true
    }
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return true }
    let name = HeaderText.decode(text[..<colon]).lowercased()
    let value = text[(colon + 1)...].trimmed
    headers.append((name, HeaderText.decode(value)))
    return true
  }

  private var headersTooLarge: TransportError {
    let lines = hasAllHeaders ? "trailers" : "headers"
    return TransportError(
      .headersTooLarge, detail: "more than \(job.request.limits.headers) bytes of \(lines)")
  }

  /// Handles the end of the headers. Returns false if the announced body is too large.
  private func startBody() -> Bool {
    hasAllHeaders = true
    func values(_ name: String) -> String {
      headers.filter { $0.name == name }.map(\.value).joined(separator: ",")
    }
    let isChunked = values("transfer-encoding").lowercased().contains("chunked")
    let length = Int(values("content-length"))
    isFramed = isChunked || length != nil
    if job.request.decodesBody {
      contentEnd = ContentEnd(encoding: values("content-encoding"), isChunked: isChunked)
    }
    let status = easy.long(CURLINFO_RESPONSE_CODE)
    if (200..<300).contains(status) { sink = job.request.sink }
    sink?.answered(status: status, headers: headers)
    sink?.begins(length: contentEnd == nil ? length.map(Int64.init) : nil)
    guard job.request.method != .head, let length, length > 0 else { return true }
    guard length <= limit else {
      refusal = TransportError(.tooLarge, detail: "\(length) bytes announced")
      return false
    }
    let size = contentEnd == nil ? length : 4 * length  // Text shrinks to a quarter.
    if sink == nil { body.reserveCapacity(min(size, Self.mostReserved)) }
    return true
  }

  private func sawHandshake(_ count: Int) {
    reportConnect()
    tlsBytes += Int64(count)
    job.observe?(.received(count))
  }

  private func reportConnect() {
    guard !hasReportedConnect, easy.isNewConnection, easy.seconds(CURLINFO_CONNECT_TIME_T) > 0
    else { return }
    hasReportedConnect = true
    job.observe?(.connected(easy.connectTime))
  }

  private func progressed(_ received: curl_off_t) -> Bool {
    reportConnect()
    // libcurl's count restarts with each answer.
    let count = Int64(received)
    let more = count >= lastBodyCount ? count - lastBodyCount : count
    lastBodyCount = count
    guard acceptsFraming else { return false }
    if more > 0 {
      bodyBytes += more
      job.observe?(.received(Int(more)))
      // A stream of empty blocks never grows the decoded body and may never end.
      if bodyBytes > Int64(limit) + 65_536 {
        refusal = TransportError(.tooLarge, detail: "the compressed body exceeds the limit")
        return false
      }
    }
    return true
  }

  private func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
    if !isBehindProxy {
      let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) ?? 0
      let name = UnsafeRawPointer(address).advanced(by: offset)
        .assumingMemoryBound(to: sockaddr.self)
      if !job.request.privateAccess.admits(AddressScope.server(name)) {
        refusal = TransportError(.forbiddenAddress, detail: job.target.host)
        return CURL_SOCKET_BAD
      }
    }
    let descriptor = socket(
      address.pointee.family, address.pointee.socktype, address.pointee.protocol)
    // Programs that the reader starts (a browser, a filter) must not inherit connections.
    if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    if descriptor >= 0, let bytes = job.request.limits.receiveBuffer {
      SocketFacts.setReceiveBuffer(descriptor, bytes)
    }
    return descriptor
  }

  /// Also called for reused connections, which open no socket.
  private func mayUse(_ server: ServerAddress?) -> Bool {
    reportConnect()
    requestedAt = CurlLoop.now
    job.observe?(.requesting)
    if isBehindProxy { return true }
    if job.request.privateAccess.admits(server) {
      // An earlier address of the host was refused, but this one is allowed.
      refusal = nil
      return true
    }
    refusal = TransportError(.forbiddenAddress, detail: job.target.host)
    return false
  }

  // MARK: Silence

  /// The time of the meter's next check; infinite before the connection is open and while paused.
  var nextCheck: Double { isPaused || !hasStarted ? .infinity : meter.nextCheck }

  func isStalled(now: Double) -> Bool {
    if isPaused { return false }
    let total = receivedBytes
    isTooSlow = isBelowMinimumRate(now: now, total: total)
    if isTooSlow { return true }
    isLate = budget.isSpent(now: now, total: total)
    if isLate { return true }
    // Until the connection is open, libcurl's own limit applies. Waiting for the answer and
    // receiving it then have the full time limit each.
    if !hasStarted, easy.offset(CURLINFO_PRETRANSFER_TIME_T) > 0 {
      hasStarted = true
      meter.restart(now: now, total: total)
    }
    if !hasAnswered, hasFirstByte {
      hasAnswered = true
      meter.restart(now: now, total: total)
    }
    return hasStarted && meter.isStalled(now: now, total: total)
  }

  private func isBelowMinimumRate(now: Double, total: Int64) -> Bool {
    guard let rate = job.request.minimumRate, hasFirstByte else { return false }
    var current =
      pace ?? (
        TimeBudget(seconds: rate.grace, bytesPerSecond: rate.bytesPerSecond, now: now), total
      )
    current.budget.setPaused(!rate.isEnforced, now: now)
    defer { pace = current }
    return current.budget.isSpent(now: now, total: total - current.before)
  }

  var stallError: TransportError {
    if isTooSlow { return TransportError(.tooSlow, detail: "\(bodyBytes) bytes so far") }
    if isLate { return TransportError(.stalled, detail: "\(bodyBytes) bytes, and out of time") }
    return TransportError(
      .stalled,
      detail: hasFirstByte
        ? "\(bodyBytes) bytes, then silence" : "no answer in \(job.request.limits.silence) s")
  }

  /// Pauses or resumes; a paused transfer is neither stalled nor late.
  func setPaused(_ isPaused: Bool, now: Double) {
    guard self.isPaused != isPaused else { return }
    self.isPaused = isPaused
    meter.restart(now: now, total: receivedBytes)
    budget.setPaused(isPaused, now: now)
    pace?.budget.setPaused(isPaused, now: now)
    // libcurl rejects a pause before the connection; the first bytes then pause it. Resuming
    // delivers the buffered bytes.
    curl_easy_pause(easy.handle, isPaused ? CURLPAUSE_RECV : CURLPAUSE_CONT)
  }

  private var receivedBytes: Int64 {
    bodyBytes + Int64(headerBytes) + Int64(easy.offset(CURLINFO_SIZE_UPLOAD_T))
  }

  // MARK: The end

  func result(_ code: CURLcode) -> Result<HTTPResponse, TransportError> {
    guard code == CURLE_OK else { return .failure(error(code)) }
    if !isBehindProxy, let trip = easy.roundTrip {
      job.observe?(.roundTrip(trip.seconds, least: trip.least))
    }
    let received = Int64(easy.offset(CURLINFO_SIZE_DOWNLOAD_T))
    let status = easy.long(CURLINFO_RESPONSE_CODE)
    // With plain HTTP the proxy refuses in place of the origin (RFC 9110, §15.5.8).
    if status == 407, isBehindProxy {
      return .failure(TransportError(.proxy, detail: "it answered 407"))
    }
    var isFramed = isFramed || easy.httpVersion == "2"
    if job.request.method != .head, status != 304, let contentEnd {
      switch contentEnd.verdict(received: received) {
      case .complete: isFramed = true
      case .truncated:
        return .failure(
          TransportError(
            .truncated, detail: "the compressed body stops short", mayBeCoding: isFramed))
      case .unknown:
        guard isFramed else {
          return .failure(
            TransportError(
              .truncated, detail: "nothing tells where the compressed body ends", mayBeCoding: true)
          )
        }
      }
    }
    if status != 401, job.credentials != nil, job.scheme == .asked, let scheme = easy.offeredScheme
    {
      job.learned?(scheme)
    }
    var metrics = easy.metrics
    metrics.bytesReceived = bodyBytes + Int64(headerBytes) + tlsBytes
    if isBehindProxy { (metrics.remoteAddress, metrics.remotePort) = (nil, nil) }
    return .success(
      HTTPResponse(
        status: status, headers: headers, body: body, isFramed: isFramed, metrics: metrics))
  }

  private func error(_ code: CURLcode) -> TransportError {
    if let refusal { return refusal }
    return easy.hasTooLargeHeaders(code) ? headersTooLarge : easy.failure(code, of: job)
  }
}
