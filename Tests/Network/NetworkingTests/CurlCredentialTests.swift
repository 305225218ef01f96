@Suite("Credentials of requests") final class CurlCredentialTests: OriginSuite {
  let transport = sharedTransport

  @Test("Credentials in the address are sent when the server asks for them")
  func sendsAddressCredentials() async throws {
    // "us er" and "p:ä@", percent-encoded in the address.
    let credentials = Data("us er:p:ä@".utf8).base64EncodedString()
    origin.on("/") { Reply.basic(credentials, to: $0, .answer("inside")) }
    let url = origin.url("/", userInfo: "us%20er:p%3A%C3%A4%40")
    let response = try await transport.send(HTTPRequest(url: url))
    #expect(response.status == 200)
    #expect(response.body == Array("inside".utf8))
    #expect(response.headers.filter { $0.name == "www-authenticate" }.isEmpty)
    let refused = try await transport.send(HTTPRequest(url: origin.url("/", userInfo: "a:b")))
    #expect(refused.status == 401)
  }

  @Test("A digest challenge is answered without sending the password")
  func digestHidesThePassword() async throws {
    origin.on("/") { request in
      guard let given = request.header("Authorization") else {
        let challenge = "Digest realm=\"feeds\", nonce=\"n1\", qop=\"auth\", algorithm=MD5"
        return .status(401, headers: [("WWW-Authenticate", challenge)])
      }
      let isDigest = given.hasPrefix("Digest ") && given.contains("username=\"me\"")
      return isDigest ? .answer("inside") : .status(403)
    }
    let url = origin.url("/", userInfo: "me:secret")
    let response = try await transport.send(HTTPRequest(url: url))
    #expect(response.body == Array("inside".utf8))
    #expect(!origin.log.contains { $0.header("Authorization")?.contains("secret") == true })
    #expect(!origin.log.contains { $0.header("Authorization")?.hasPrefix("Basic") == true })
  }

  @Test("After the first request, Basic credentials are sent at once")
  func sendsBasicAtOnce() async throws {
    let credentials = Data("me:secret".utf8).base64EncodedString()
    origin.on("/") { Reply.basic(credentials, to: $0, .answer("inside")) }
    let own = CurlTransport(userAgent: "Weir/0")
    for path in ["/a", "/b", "/c"] {
      let request = HTTPRequest(
        url: origin.url(path),
        identity: RequestIdentity(credentials: Credentials(user: "me", password: "secret")))
      #expect(try await own.send(request).status == 200)
    }
    #expect(origin.log.map(\.target) == ["/a", "/a", "/b", "/c"])
    // If the server now expects another password, it refuses once.
    origin.on("/") { Reply.basic("other", to: $0, .answer("inside")) }
    let refused = try await own.send(HTTPRequest(url: origin.url("/d", userInfo: "me:secret")))
    #expect(refused.status == 401)
    #expect(origin.log.count == 5)
  }
}
