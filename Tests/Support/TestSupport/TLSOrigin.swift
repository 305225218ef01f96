import Foundation

/// An HTTPS server on loopback with its own certificate authority, for HTTP/1.1 or on request
/// HTTP/2. It is a Python program, because no other TLS server is on every machine; if openssl or
/// python3 is missing, `missing` says so.
public final class TLSOrigin {
  /// Counts of a peer's actions.
  public struct Tally: Sendable {
    /// Connections that were accepted.
    public var connections = 0
    /// Requests on all of them.
    public var requests = 0
    /// The most that were in progress at once.
    public var peak = 0
    /// Header lines of HTTP/1.1 requests that begin with `Authorization`.
    public var authorizations = 0
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  /// The failure of a tool that the server needs, in the tool's words.
  public struct Failure: Error { public let words: String }

  /// The authority's certificate, PEM.
  public let authority: String
  /// A free port that the system chose.
  public let port: Int
  private let folder: URL
  private let process: pid_t

  /// The reason why a server cannot be made here, or `nil` if it can.
  public static var missing: String? {
    for tool in ["openssl", "python3"] where path(of: tool) == nil {
      return "\(tool) is not installed: TLS is not tested"
    }
    return nil
  }

  /// - Parameters:
  ///   - speaksHTTP2: True for HTTP/2 alone, false for HTTP/1.1 alone.
  ///   - thinks: Seconds before each answer.
  ///   - body: The answer of every address.
  public init(speaksHTTP2: Bool = false, thinks: Double = 0, body: String) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "weir-tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = { [folder] (name: String) in folder.appending(path: name).path }
    try Data(TLSOriginScript.text.utf8).write(to: URL(filePath: file("server.py")))
    try Data(body.utf8).write(to: URL(filePath: file("body")))
    let extensions = "subjectAltName=IP:127.0.0.1,DNS:localhost"
    try Data(extensions.utf8).write(to: URL(filePath: file("names")))
    for command in [
      "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=Weir-test-authority"
        + " -keyout ca.key -out ca.pem",
      "req -newkey rsa:2048 -nodes -subj /CN=localhost -keyout key.pem -out request.pem",
      "x509 -req -in request.pem -CA ca.pem -CAkey ca.key -CAcreateserial -days 2"
        + " -extfile names -out certificate.pem",
    ] {
      let words = command.split(separator: " ").map { word in
        word.contains(".") || word == "names" ? file(String(word)) : String(word)
      }
      try Self.run("openssl", words, output: file("openssl.log"))
    }
    authority = file("ca.pem")
    guard let python = Self.path(of: "python3") else { throw Failure(words: "no python3") }
    process = try Spawn.start(
      [python, file("server.py"), folder.path, speaksHTTP2 ? "h2" : "http/1.1", "\(thinks)"],
      environment: ["PATH": "/usr/bin:/bin"], terminal: nil, output: file("server.log"))
    port = try Self.readPort(file("port"), process, log: file("server.log"))
  }

  deinit {
    kill(process, SIGKILL)
    _ = Spawn.wait(for: process)
    try? FileManager.default.removeItem(at: folder)
  }

  /// - Parameter path: The path, which begins with a slash.
  public func url(_ path: String) -> String { "https://127.0.0.1:\(port)\(path)" }

  /// The present counts.
  public var tally: Tally {
    let text = (try? String(contentsOf: folder.appending(path: "tally"), encoding: .utf8)) ?? ""
    let numbers = text.split(separator: " ").compactMap { Int($0) }
    guard numbers.count == 4 else { return Tally() }
    return Tally(
      connections: numbers[0], requests: numbers[1], peak: numbers[2], authorizations: numbers[3])
  }

  private static func readPort(_ path: String, _ process: pid_t, log: String) throws -> Int {
    let end = Patience.end
    while ContinuousClock.now < end, Spawn.poll(process) == nil {
      if let text = try? String(contentsOfFile: path, encoding: .utf8), let port = Int(text) {
        return port
      }
      usleep(5_000)
    }
    throw Failure(words: (try? String(contentsOfFile: log, encoding: .utf8)) ?? "no server")
  }

  private static func run(_ tool: String, _ words: [String], output: String) throws {
    guard let path = path(of: tool) else { throw Failure(words: "no \(tool)") }
    let process = try Spawn.start(
      [path] + words, environment: ["PATH": "/usr/bin:/bin"], terminal: nil, output: output)
    guard Spawn.wait(for: process)?.exitCode == 0 else {
      throw Failure(words: (try? String(contentsOfFile: output, encoding: .utf8)) ?? tool)
    }
  }

  private static func path(of tool: String) -> String? {
    ["/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { $0 + tool }
      .first(where: FileManager.default.isExecutableFile)
  }
}

private enum TLSOriginScript {
  /// The server's program, with the parts of HTTP/2 that a test needs (RFC 9113): settings, headers
  /// in, headers and data out. Header blocks are not read; ":status: 200" is entry 8 of HPACK's
  /// static table (RFC 7541, appendix A).
  static let text = #"""
    import os, socket, ssl, struct, sys, threading, time

    folder, protocol, thinks = sys.argv[1], sys.argv[2], float(sys.argv[3])
    body = open(folder + "/body", "rb").read()
    lock = threading.Lock()
    counts = dict(connections=0, requests=0, under_way=0, peak=0, authorizations=0)


    def tell():
        text = "%d %d %d %d" % tuple(
            counts[name] for name in ("connections", "requests", "peak", "authorizations"))
        with open(folder + "/tally.new", "w") as file:
            file.write(text)
        os.rename(folder + "/tally.new", folder + "/tally")


    def count(begins):
        with lock:
            counts["under_way"] += 1 if begins else -1
            if begins:
                counts["requests"] += 1
                counts["peak"] = max(counts["peak"], counts["under_way"])
            tell()


    def answer_one(connection, head):
        count(True)
        with lock:
            lines = head.split(b"\r\n")
            counts["authorizations"] += sum(l.lower().startswith(b"authorization") for l in lines)
        time.sleep(thinks)
        count(False)
        connection.sendall(
            b"HTTP/1.1 200 OK\r\nContent-Type: application/rss+xml\r\nContent-Length: %d\r\n\r\n"
            % len(body) + body)


    def serve_one(connection):
        data = b""
        while True:
            while b"\r\n\r\n" not in data:
                more = connection.recv(65536)
                if not more:
                    return
                data += more
            head, data = data.split(b"\r\n\r\n", 1)
            answer_one(connection, head)


    def frame(kind, flags, stream, payload=b""):
        return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(
            ">I", stream) + payload


    def exactly(connection, size):
        data = b""
        while len(data) < size:
            more = connection.recv(size - len(data))
            if not more:
                raise EOFError
            data += more
        return data


    def answer_two(connection, sending, stream):
        time.sleep(thinks)
        count(False)
        with sending:
            connection.sendall(frame(1, 4, stream, b"\x88"))
            connection.sendall(frame(0, 1, stream, body))


    def serve_two(connection):
        sending = threading.Lock()
        exactly(connection, 24)
        with sending:
            connection.sendall(frame(4, 0, 0))
        while True:
            head = exactly(connection, 9)
            size, kind, flags = int.from_bytes(head[:3], "big"), head[3], head[4]
            stream = int.from_bytes(head[5:], "big") & 0x7FFFFFFF
            payload = exactly(connection, size)
            if kind == 4 and not flags & 1:
                with sending:
                    connection.sendall(frame(4, 1, 0))
            elif kind == 6 and not flags & 1:
                with sending:
                    connection.sendall(frame(6, 1, 0, payload))
            elif kind == 1:
                count(True)
                threading.Thread(
                    target=answer_two, args=(connection, sending, stream), daemon=True).start()


    def serve(plain):
        try:
            connection = context.wrap_socket(plain, server_side=True)
            with lock:
                counts["connections"] += 1
                tell()
            (serve_two if protocol == "h2" else serve_one)(connection)
        except (OSError, EOFError):
            pass
        finally:
            plain.close()


    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder + "/certificate.pem", folder + "/key.pem")
    context.set_alpn_protocols([protocol])
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)
    with open(folder + "/port.new", "w") as file:
        file.write(str(listener.getsockname()[1]))
    os.rename(folder + "/port.new", folder + "/port")
    while True:
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
    """#
}
