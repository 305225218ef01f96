@testable import Networking

@Suite("Facts of HTTP") struct HTTPFactsTests {
  /// Sun, 06 Nov 1994 08:49:37 GMT, the example of RFC 9110.
  let example = Date(timeIntervalSince1970: 784_111_777)

  @Test(
    "The three forms of an HTTP date are read",
    arguments: [
      "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
      "sun, 6 nov 1994 8:49:37 gmt", "06 Nov 1994 08:49:37",
    ])
  func readsThreeDateForms(_ text: String) {
    #expect(HTTPDate.parse(text, now: Date(timeIntervalSince1970: 1.7e9)) == example)
  }

  @Test(
    "An invalid date is not read",
    arguments: [
      "", "0", "-1", "Sun, 31 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT",
      "Sun, 06 Nov 1994", "now", "Sun, 99 Nov 1994 08:49:37 GMT", "99999999999999999999", "::::",
      "Sun, 06 Nov 99999999999999999999 08:49:37 GMT",
    ])
  func readsNoDateInWhatIsNone(_ text: String) { #expect(HTTPDate.parse(text) == nil) }

  @Test("Dates at the edges of their ranges are read") func readsDatesAtTheEdges() {
    #expect(HTTPDate.parse("Thu, 01 Jan 1970 00:00:00 GMT") == Date(timeIntervalSince1970: 0))
    #expect(
      HTTPDate.parse("Thu, 29 Feb 2024 23:59:59 GMT") == Date(timeIntervalSince1970: 1_709_251_199))
    let now = Date(timeIntervalSince1970: 1_700_000_000)  // 2023
    #expect(
      HTTPDate.parse("Wednesday, 01-Jan-70 00:00:00 GMT", now: now)
        == HTTPDate.parse("Wed, 01 Jan 2070 00:00:00 GMT"))
    #expect(
      HTTPDate.parse("Wednesday, 01-Jan-75 00:00:00 GMT", now: now)
        == HTTPDate.parse("Wed, 01 Jan 1975 00:00:00 GMT"))
  }

  @Test("Retry-After is read as seconds and as a date") func readsBothRetryAfters() {
    #expect(RetryAfter.seconds("120", now: example) == 120)
    #expect(RetryAfter.seconds("Sun, 06 Nov 1994 08:51:37 GMT", now: example) == 120)
    #expect(RetryAfter.seconds("Sun, 06 Nov 1994 08:00:00 GMT", now: example) == 0)
    #expect(RetryAfter.seconds("99999999999999999999999", now: example) == 2_147_483_648)
    #expect(RetryAfter.seconds("-5", now: example) == nil)
    #expect(RetryAfter.seconds("soon", now: example) == nil)
  }

  func fresh(_ headers: (name: String, value: String)...) -> Double? {
    CacheControl.freshFor(HTTPResponse(status: 200, headers: headers), now: example)
  }

  @Test("The freshness of an answer follows Cache-Control, Age and Expires") func readsFreshness() {
    #expect(fresh() == nil)
    #expect(fresh(("cache-control", "public, max-age=3600")) == 3_600)
    #expect(fresh(("cache-control", "Max-Age=\"3600\"")) == 3_600)
    #expect(fresh(("cache-control", "private"), ("cache-control", "max-age = 60")) == 60)
    #expect(fresh(("cache-control", "max-age=3600"), ("age", "600")) == 3_000)
    #expect(fresh(("cache-control", "max-age=60"), ("age", "600")) == 0)
    #expect(fresh(("cache-control", "max-age=60, no-cache")) == 0)
    #expect(fresh(("cache-control", "no-store")) == 0)
    #expect(fresh(("cache-control", "s-maxage=60")) == nil)
    #expect(fresh(("cache-control", "ext=\"a, max-age=9\", max-age=60")) == 60)
    #expect(fresh(("cache-control", "max-age=60"), ("expires", "0")) == 60)
    #expect(fresh(("expires", "0")) == 0)
    #expect(
      fresh(("date", "Sun, 06 Nov 1994 08:00:00 GMT"), ("expires", "Sun, 06 Nov 1994 09:00:00 GMT"))
        == 3_600)
    #expect(fresh(("expires", "Sun, 06 Nov 1994 08:50:37 GMT")) == 60)
  }

  @Test("Only validators that can be sent back are stored") func storesUsableValidators() {
    func validators(_ etag: String) -> String? {
      Validators(of: HTTPResponse(status: 200, headers: [("etag", etag)])).etag
    }
    for good in ["\"a\"", "W/\"a b\"", "unquoted", "\"ü\"", "\"\u{F7E9}\""] {
      #expect(validators(good) == good)
    }
    for bad in ["", "\"a\r\nX: b\"", "\"\u{0}\"", "a\tb", String(repeating: "x", count: 5_000)] {
      #expect(validators(bad) == nil)
    }
    #expect(
      Validators(etag: "a\nb", lastModified: "yes").headers.map(\.name) == ["If-Modified-Since"])
  }

  @Test("Every byte of a header survives decoding and encoding") func keepsEveryByteOfAHeader() {
    let values: [[UInt8]] = [
      Array("plain".utf8), Array("ümlaut 漢字".utf8), [0x22, 0xE9, 0x22], [0xFF, 0xFE, 0x41],
      Array("\u{F7E9} really".utf8), Array("\u{FFFD}".utf8), [0xC3],
    ]
    for bytes in values { #expect(HeaderText.encode(HeaderText.decode(bytes)) == bytes) }
    #expect(HeaderText.decode(Array("ümlaut".utf8)) == "ümlaut")
  }

  @Test(
    "Private addresses are recognised",
    arguments: [
      "127.0.0.1", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254",
      "100.64.0.1", "0.0.0.0", "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1%eth0",
      "fc00::1",
      "fd12::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::10.0.0.1",
      "2002:7f00:1::", "64:ff9b:1::1.1.1.1", "[::1]", "2001:db8::1", "::127.0.0.1",
    ])
  func knowsPrivateAddresses(_ text: String) { #expect(AddressScope.isPublic(text) == false) }

  @Test(
    "Public addresses are recognised",
    arguments: [
      "1.1.1.1", "172.32.0.1", "172.15.0.1", "192.167.1.1", "100.128.0.1", "223.255.255.255",
      "2606:4700::1111", "::ffff:1.1.1.1", "64:ff9b::1.1.1.1", "2001:4860:4860::8888",
    ])
  func knowsPublicAddresses(_ text: String) { #expect(AddressScope.isPublic(text) == true) }

  @Test("A host name is not an address") func callsNoNameAnAddress() {
    #expect(AddressScope.isPublic("localhost") == nil)
    #expect(AddressScope.isPublic("") == nil)
  }

  @Test(
    "Host names are written in ASCII",
    arguments: [
      ("bücher.example", "xn--bcher-kva.example"), ("BÜCHER.example", "xn--bcher-kva.example"),
      ("例え。テスト", "xn--r8jz45g.xn--zckzah"), ("пример.рф", "xn--e1afmkfd.xn--p1ai"),
      ("他们为什么不说中文", "xn--ihqwcrb4cv8a8dqg056pqjye"), ("faß.de", "xn--fa-hia.de"),
      ("bu\u{308}cher.example", "xn--bcher-kva.example"),
      ("bü\u{AD}cher.example", "xn--bcher-kva.example"), ("a\u{AD}b.example", "ab.example"),
      ("👍\u{FE0F}.la", "xn--yp8h.la"),
    ])
  func writesHostNamesInASCII(_ name: String, _ expected: String) throws {
    #expect(Punycode.host(name) == expected)
    let target = try RequestTarget("http://me@\(name):8080/é")
    #expect(target.url == "http://\(expected):8080/%C3%A9")
    #expect(target.host == expected)
  }

  @Test(
    "Spellings of the same host have the same key",
    arguments: [
      ("bücher.example", "xn--bcher-kva.example"), ("BÜCHER.example.", "xn--bcher-kva.example"),
      ("xn--bcher-kva.example", "xn--bcher-kva.example"),
      ("XN--BCHER-KVA.Example.", "xn--bcher-kva.example"), ("example.org.", "example.org"),
      ("127.0.0.1", "127.0.0.1"), ("[::1]", "[::1]"),
    ])
  func knowsAHostByOneName(_ written: String, _ key: String) {
    #expect(WebAddress("http://me@\(written):8080/x").hostKey == key)
  }

  @Test("ASCII names and addresses stay unchanged") func leavesASCIINamesAlone() throws {
    #expect(Punycode.host("example.org") == nil)
    #expect(try RequestTarget("http://[::1]:8080/").url == "http://[::1]:8080/")
    #expect(try RequestTarget("HTTP://Example.ORG").url == "http://Example.ORG/")
    // A byte of a Location that is not UTF-8 stays the same.
    let location = HeaderText.decode([0x2F, 0xE9])
    #expect(try RequestTarget("http://a.example" + location).url == "http://a.example/%E9")
  }

  @Test("The use of a proxy is predicted from the environment and the request")
  func predictsTheProxy() {
    let proxies = ProxyEnvironment([
      "http_proxy": "http://proxy:3128", "HTTP_PROXY": "ignored", "no_proxy": ".example.org, local",
    ])
    #expect(proxies.usesProxy(scheme: "http", host: "example.com"))
    #expect(!proxies.usesProxy(scheme: "https", host: "example.com"))
    #expect(!proxies.usesProxy(scheme: "http", host: "a.example.org"))
    #expect(!proxies.usesProxy(scheme: "http", host: "example.org"))
    #expect(proxies.usesProxy(scheme: "http", host: "notexample.org"))
    #expect(!ProxyEnvironment([:]).usesProxy(scheme: "http", host: "a"))
    #expect(ProxyEnvironment(["ALL_PROXY": "socks5h://p"]).usesProxy(scheme: "https", host: "a"))
    let none = ProxyEnvironment(["ALL_PROXY": "p", "NO_PROXY": "*"])
    #expect(!none.usesProxy(scheme: "https", host: "a"))
    let networks = ProxyEnvironment(["no_proxy": "10.0.0.0/8, 192.168.16.0/20,fd00::/8,::1/128"])
    for host in ["10.1.2.3", "192.168.31.255", "fd12::1", "::1"] { #expect(networks.exempts(host)) }
    for host in ["11.0.0.1", "192.168.32.1", "fe80::1", "::2", "10.example", "a"] {
      #expect(!networks.exempts(host))
    }
    for odd in ["10.0.0.0/33", "10.0.0.0/x", "10.0.0.0/-1", "10.0.0.0/0", "/8", "10.0.0.0/8/8"] {
      #expect(!ProxyEnvironment(["no_proxy": odd]).exempts("10.1.2.3"))
    }
    let named = ProxyChoice.server("http://proxy:3128", hasExceptions: true)
    #expect(proxies.named(.environment, for: "http") == named)
    #expect(proxies.named(.environment, for: "https") == ProxyChoice.none)
    #expect(proxies.named(named, for: "https") == named)
  }

  @Test("The certificate bundle is found in the environment, the build setting or a known path")
  func findsTheCertificates() {
    func find(_ environment: [String: String], _ builtIn: String?, _ readable: Set<String>)
      -> String?
    {
      CertificateBundle.find(
        environment: environment, builtIn: builtIn, isReadable: readable.contains)
    }
    #expect(find(["SSL_CERT_FILE": "/mine"], "/built", ["/built"]) == "/mine")
    #expect(find(["SSL_CERT_FILE": "/a", "CURL_CA_BUNDLE": "/b"], nil, []) == "/b")
    #expect(find([:], "/built", ["/built"]) == "/built")
    #expect(find([:], "/built", ["/etc/ssl/cert.pem"]) == "/etc/ssl/cert.pem")
    #expect(find([:], nil, []) == nil)
  }
}
