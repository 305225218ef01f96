// The transport over libcurl. Nothing outside this folder uses the library.

import CCurl
import Foundation
import Synchronization

/// Sends requests with libcurl's multi interface on one thread.
///
/// The first `send` initialises the library, which takes milliseconds. When the transport is
/// released, the thread ends and running transfers throw `.cancelled`.
public final class CurlTransport: HTTPTransport {
  /// The versions of libcurl and its libraries, as libcurl formats them.
  public static var libraryVersion: String { String(cString: curl_version()) }

  let mailbox: CurlMailbox
  private let schemes = AuthenticationSchemes()

  /// - Parameters:
  ///   - userAgent: `Weir/<version> (+<project url>)`.
  ///   - connectionCache: the maximum number of connections, busy and idle; idle ones are closed
  ///     first. `nil` derives a number from the limit of descriptors.
  ///   - certificates: a PEM file of trusted authorities; `nil` for the system's.
  public init(userAgent: String, connectionCache: Int? = nil, certificates: String? = nil) {
    mailbox = CurlMailbox(
      settings: CurlSettings(
        userAgent: userAgent, connectionCache: connectionCache ?? Self.defaultConnectionCache,
        certificates: certificates ?? CertificateBundle.path))
  }

  deinit { mailbox.stop() }

  /// Throws `.cancelled` if the task was cancelled.
  public func send(_ request: HTTPRequest, observe: (@Sendable (TransferEvent) -> Void)?)
    async throws(TransportError) -> HTTPResponse
  {
    if Task.isCancelled { throw TransportError(.cancelled) }
    // Parsed here, not on the transport's thread, to spare that thread.
    let target = try RequestTarget(request.url)
    let credentials = target.credentials ?? request.identity.credentials
    let scheme = credentials.map { schemes.scheme(for: target, user: $0.user) } ?? .asked
    let response = try await send(request, target, credentials, scheme, observe)
    guard scheme != .asked, response.status == 401, let credentials else { return response }
    // The origin has changed its scheme, or does not accept the default one.
    schemes.forget(target, user: credentials.user)
    guard scheme == .digest || response.offersDigest else { return response }
    return try await send(request, target, credentials, .asked, observe)
  }

  private func send(
    _ request: HTTPRequest, _ target: RequestTarget, _ credentials: Credentials?,
    _ scheme: AuthenticationScheme, _ observe: (@Sendable (TransferEvent) -> Void)?
  ) async throws(TransportError) -> HTTPResponse {
    let schemes = schemes
    return try await run { id, continuation in
      CurlJob(
        id: id, request: request, target: target, credentials: credentials, scheme: scheme,
        learned: { scheme in
          if let credentials { schemes.learn(scheme, target, user: credentials.user) }
        }, observe: observe, continuation: continuation)
    }
  }

  private func run(
    _ makeJob: (UInt64, CurlJob.Continuation) -> CurlJob
  ) async throws(TransportError) -> HTTPResponse {
    let id = mailbox.nextID()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let job = makeJob(id, continuation)
        mailbox.post(.start(job))
        // The cancellation handler may have run too early, before the job was posted.
        if Task.isCancelled { mailbox.post(.cancel(id)) }
        job.request.pauseToken?.attach { [mailbox] in mailbox.post(.pause(id, $0)) }
      }
    } onCancel: {
      mailbox.post(.cancel(id))
    }
    return try result.get()
  }

  /// Opens a TCP connection without TLS and closes it. Returns false if the URL is invalid.
  public func reaches(
    _ url: String, through proxy: ProxyChoice, within timeout: Double
  ) async -> Bool {
    guard !Task.isCancelled, let given = try? WebAddress(RequestTarget(url).url),
      let scheme = given.scheme, let host = given.host,
      // A TLS handshake would only cost the server work.
      let target = try? RequestTarget(
        "http://\(host):\(given.port ?? (scheme == "https" ? 443 : 80))/")
    else { return false }
    let request = HTTPRequest(
      url: target.url,
      limits: TransferLimits(connect: timeout, silence: timeout, total: timeout),
      identity: RequestIdentity(proxy: ProxyEnvironment.current.named(proxy, for: scheme)))
    let connected = try? await run { id, continuation in
      CurlJob(
        id: id, request: request, target: target, onlyConnects: true, tunnels: scheme == "https",
        continuation: continuation)
    }
    return connected != nil
  }

  private static var defaultConnectionCache: Int {
    let widest = 132
    guard let limit = openFiles, limit < 1 << 20 else { return widest }
    return max(8, min(widest, (limit - 64) / 2))
  }

  /// The number of files and sockets that this process may open; `nil` if unknown.
  public static var openFiles: Int? {
    var limit = rlimit()
    #if os(Linux)
      let name = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let name = RLIMIT_NOFILE
    #endif
    return getrlimit(name, &limit) == 0 ? Int(clamping: limit.rlim_cur) : nil
  }
}

/// The settings shared by all transfers.
struct CurlSettings: Sendable {
  var userAgent: String
  var connectionCache: Int
  /// The path of a PEM file; `nil` for the library's default.
  var certificates: String?
}

/// A request to the transport's thread.
struct CurlJob: Sendable {
  var id: UInt64
  var request: HTTPRequest
  var target: RequestTarget
  var onlyConnects = false
  /// True if an HTTP proxy opens a tunnel, as for https.
  var tunnels = false
  var credentials: Credentials?
  var scheme = AuthenticationScheme.asked
  /// Called with the scheme that the origin requested.
  var learned: (@Sendable (AuthenticationScheme) -> Void)?
  var observe: (@Sendable (TransferEvent) -> Void)?
  typealias Continuation = CheckedContinuation<Result<HTTPResponse, TransportError>, Never>
  var continuation: Continuation
}

enum CurlCommand: Sendable {
  case start(CurlJob)
  case cancel(UInt64)
  case pause(UInt64, Bool)
}

/// The commands of tasks to the transport's thread, which starts with the first one.
final class CurlMailbox: Sendable {
  /// The waking end of the thread's pipe. Used under the mailbox's lock, and removed before it is
  /// closed.
  struct Waker: Sendable {
    let end: Int32
    func wake() {
      // A write to a full pipe fails, but the thread wakes anyway.
      _ = withUnsafeBytes(of: UInt8(0)) { write(end, $0.baseAddress, 1) }
    }
  }

  private struct State {
    var lastID: UInt64 = 0
    var commands: [CurlCommand] = []
    var waker: Waker?
    var hasThread = false
    var isStopped = false
  }

  private let state = Mutex(State())
  let settings: CurlSettings

  init(settings: CurlSettings) { self.settings = settings }

  func nextID() -> UInt64 {
    state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
  }

  func post(_ command: CurlCommand) {
    let (isRefused, startsThread) = state.withLock { state -> (Bool, Bool) in
      if state.isStopped { return (true, false) }
      guard state.hasThread else {
        guard case .start = command else { return (false, false) }
        state.commands.append(command)
        state.hasThread = true
        return (false, true)
      }
      // Earlier commands have already woken the thread.
      if state.commands.isEmpty { state.waker?.wake() }
      state.commands.append(command)
      return (false, false)
    }
    if isRefused, case .start(let job) = command {
      job.continuation.resume(returning: .failure(TransportError(.cancelled)))
    }
    if startsThread { startThread() }
  }

  func stop() {
    state.withLock { state in
      state.isStopped = true
      state.waker?.wake()
    }
  }

  private func startThread() {
    let thread = Thread {
      // The main thread handles signals; a broken connection is an error code, not a SIGPIPE.
      var all = sigset_t()
      sigfillset(&all)
      pthread_sigmask(SIG_BLOCK, &all, nil)
      CurlLoop(self).run()
    }
    thread.name = "network"
    thread.stackSize = 512 << 10
    thread.start()
  }

  // MARK: For the thread

  func publish(_ waker: Waker?) { state.withLock { $0.waker = waker } }

  /// Returns the commands since the last call; `nil` if the thread must end.
  func removeCommands() -> [CurlCommand]? {
    state.withLock { state in
      if state.isStopped { return nil }
      defer { state.commands.removeAll() }
      return state.commands
    }
  }

  /// Returns the commands that were posted but never started.
  func removeLeftovers() -> [CurlCommand] {
    state.withLock { state in
      defer { state.commands.removeAll() }
      state.waker = nil
      return state.commands
    }
  }
}
