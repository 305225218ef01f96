@Suite("Web addresses") struct WebAddressTests {
  /// All examples of RFC 3986, §5.4.1 and §5.4.2.
  @Test(
    "Every example of the RFC resolves as stated",
    arguments: [
      ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
      ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"),
      ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"),
      ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
      ("g;x?y#s", "http://a/b/c/g;x?y#s"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
      ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
      ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
      ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"),
      ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."),
      (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"),
      ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
      ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
      ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"),
      ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/./x", "http://a/b/c/g#s/./x"),
      ("g#s/../x", "http://a/b/c/g#s/../x"), ("http:g", "http:g"),
    ])
  func rfcExamplesResolve(reference: String, target: String) {
    #expect(WebAddress("http://a/b/c/d;p?q").resolve(WebAddress(reference))?.text == target)
  }

  @Test(
    "References in feeds are resolved against a base",
    arguments: [
      ("x", "https://example.org", "https://example.org/x"),
      ("?page=2", "https://example.org/list?page=1", "https://example.org/list?page=2"),
      ("?page=2", "https://example.org", "https://example.org?page=2"),
      ("//cdn.example.org/a.png", "https://example.org/feed", "https://cdn.example.org/a.png"),
      ("a b.html", "https://example.org/", "https://example.org/a b.html"),
      (" \n/x\n ", "https://example.org/feed", "https://example.org/x"),
      ("/posts/日本", "https://example.org/", "https://example.org/posts/日本"),
      ("..\\x", "https://example.org/a/b", "https://example.org/x"),
      ("mailto:jo@example.org", "https://example.org/", "mailto:jo@example.org"),
      ("HTTPS://Example.org/A", "https://example.org/", "https://Example.org/A"),
      ("2024:post", "https://example.org/", "https://example.org/2024:post"),
    ])
  func feedsReferencesResolve(reference: String, base: String, target: String) {
    #expect(WebAddress(base).resolve(WebAddress(reference))?.text == target)
  }

  @Test("An IPv6 host keeps its brackets and its port") func ipv6KeepsBracketsAndPort() {
    let address = WebAddress("http://[2001:DB8::1]:8080/feed")
    #expect(address.host == "[2001:db8::1]")
    #expect(address.port == 8080)
    #expect(address.origin == "http://[2001:db8::1]:8080")
    #expect(WebAddress("http://[::1]/").host == "[::1]")
    #expect(WebAddress("http://[::1]/").port == 80)
  }

  @Test("An international host keeps its letters") func internationalHost() {
    let address = WebAddress("https://Bücher.example/ä?ö#ü")
    #expect(address.host == "bücher.example")
    #expect(address.text == "https://Bücher.example/ä?ö#ü")
  }

  @Test("User info is separated and removed") func userInfoIsRemoved() {
    let address = WebAddress("https://jo:p%40ss:w@example.org:444/feed?x#y")
    #expect(address.userInfo == "jo:p%40ss:w")
    #expect(address.host == "example.org")
    #expect(address.port == 444)
    #expect(address.withoutUserInfo.text == "https://example.org:444/feed?x#y")
    #expect(WebAddress("https://a@b@example.org/").host == "example.org")
    #expect(WebAddress("https://example.org/@jo").userInfo == nil)
  }

  @Test("A combining mark does not hide a delimiter") func markedDelimiterCounts() {
    let at = WebAddress("https://good.example@\u{301}evil.example/")
    #expect(at.host == "\u{301}evil.example")
    #expect(at.userInfo == "good.example")
    let path = WebAddress("https://example.org/a/\u{301}/../b")
    #expect(
      WebAddress("https://e.org/").resolve(WebAddress(path.text))?.text == "https://example.org/a/b"
    )
  }

  @Test("A backslash counts as a slash, as in browsers") func backslashIsASlash() {
    #expect(WebAddress("https://good.example\\@evil.example/").host == "good.example")
    #expect(WebAddress("https:\\\\example.org\\x").text == "https://example.org/x")
    #expect(WebAddress("https://example.org/?a\\b#c\\d").text == "https://example.org/?a\\b#c\\d")
  }

  @Test("Ports are numbers up to 65535") func portsAreNumbersUpTo65535() {
    #expect(WebAddress("http://example.org:/").port == 80)
    #expect(WebAddress("https://example.org").port == 443)
    #expect(WebAddress("http://example.org:65536/").port == nil)
    #expect(WebAddress("http://example.org:+80/").port == nil)
    #expect(
      WebAddress("http://example.org:80x/").origin != WebAddress("http://example.org/").origin)
    #expect(WebAddress("gopher://example.org/").port == nil)
  }

  @Test(
    "Another scheme, host or port is another origin, except TLS on the same host",
    arguments: [
      ("https://a.example/x", "https://a.example/y?z", false),
      ("http://a.example/", "https://A.example./", false),
      ("http://a.example:80/", "https://a.example:443/", false),
      ("http://a.example:81/", "https://a.example:81/", false),
      ("http://a.example:81/", "https://a.example/", true),
      ("https://a.example/", "http://a.example/", true),
      ("http://a.example/", "http://a.example:81/", true),
      ("https://a.example/", "https://b.a.example/", true),
      ("https://a.example/", "https://a.example.b.example/", true),
      ("exec:/bin/a", "https://a.example/", true),
    ])
  func otherOrigin(from: String, to: String, isOther: Bool) {
    #expect(WebAddress(to).isOtherOrigin(than: WebAddress(from)) == isOther)
  }

  @Test("An origin consists of scheme, host and port") func originIsSchemeHostPort() {
    let origin = WebAddress("https://Example.org/feed").origin
    #expect(origin == WebAddress("HTTPS://example.ORG:443/other").origin)
    #expect(origin != WebAddress("http://example.org/feed").origin)
    #expect(origin != WebAddress("https://example.org:444/feed").origin)
    #expect(origin != WebAddress("https://www.example.org/feed").origin)
    #expect(WebAddress("/feed").origin == nil)
  }

  @Test("Only HTTP addresses with a host count as HTTP") func onlyHTTPWithAHostIsHTTP() {
    #expect(WebAddress("http://example.org").isHTTP)
    #expect(!WebAddress("http:///feed").isHTTP)
    #expect(!WebAddress("http:feed").isHTTP)
    #expect(!WebAddress("file:///etc/passwd").isHTTP)
    #expect(!WebAddress("javascript:alert(1)//http://example.org").isHTTP)
  }

  @Test("Line breaks and tabs inside an address are dropped") func lineBreaksAreDropped() {
    #expect(WebAddress("java\nscript:alert(1)").scheme == "javascript")
    #expect(WebAddress("https://exam\tple.org/a\r\nb").text == "https://example.org/ab")
  }

  @Test("A path never becomes a host when it is written") func pathNeverBecomesAHost() {
    var address = WebAddress("a:x")
    address.path = "//evil.example/x"
    #expect(WebAddress(address.text).authority == nil)
  }

  @Test(
    "Writing and reading an address again does not change it",
    arguments: [
      "http://a", "http://a/", "http://a?", "http://a#", "//a/b", "?q", "#f", "", "a:b:c",
      "mailto:x",
      "http://u@h:1/p?q#f", "urn:uuid:1", "/a//b", "x y", "é", "http://[::1]:1/",
    ])
  func writingRoundTrips(text: String) {
    let address = WebAddress(text)
    #expect(WebAddress(address.text) == address)
    #expect(address.text == text)
  }

  @Test(
    "Look-alike characters in a host are shown in Punycode",
    arguments: [
      // One Cyrillic letter in a Latin name, a label of Cyrillic letters only, one Greek letter.
      ("https://\u{430}pple.com/a", "https://xn--pple-43d.com/a"),
      ("https://\u{430}\u{440}\u{440}\u{4CF}\u{435}.com", "https://xn--80ak6aa92e.com"),
      ("http://me@goog\u{3BB}e.com:8080/?q", "http://me@xn--googe-5be.com:8080/?q"),
      // Signs that look like slashes and dots.
      ("https://a.example\u{2044}x.evil.example/", "https://a.xn--examplex-k03d.evil.example/"),
      ("https://a\u{3002}example.evil.example/", "https://a.example.evil.example/"),
      // Invisible characters: a zero-width space, a soft hyphen, a filler, a direction override.
      ("https://exam\u{200B}ple.com/", "https://exam%E2%80%8Bple.com/"),
      ("https://a.example/x\u{AD}\u{3164}y", "https://a.example/x%C2%AD%E3%85%A4y"),
      ("https://a.example/\u{202E}gpj.exe", "https://a.example/%E2%80%AEgpj.exe"),
      // Unchanged addresses: a single alphabet, or scripts without look-alikes.
      ("https://\u{43F}\u{440}\u{438}\u{43C}\u{435}\u{440}.\u{440}\u{444}/", nil),
      ("https://\u{65E5}\u{672C}.example.jp/", nil),
      ("https://m\u{FC}ller.example/\u{430}", nil),
      ("https://example.org/\u{430}pple", nil), ("mailto:a@b.c", nil), ("\u{430}", nil),
    ])
  func showsConfusables(_ address: String, _ expected: String?) {
    #expect(Confusables.shown(address) == expected ?? address)
  }

  @Test(
    "A host is plausible if it can be a name or an IPv6 literal with a valid port",
    arguments: [
      ("https://a.example/", true), ("http://nas/", true), ("https://a.example.:8443/", true),
      ("http://[::1]:80/", true), ("http://[fe80::1%25eth0]/", true), ("http://127.0.0.1/", true),
      ("https://b\u{FC}cher.example/", true), ("https://\u{939}\u{93F}\u{928}.example/", true),
      ("https://my_host.example/", true), ("https://[::1", false), ("https://[zz]/", false),
      ("https://[1]/", false), ("https://.../", false), ("https://a..b/", false),
      ("https://a b/", false), ("https://<x>.example/", false), ("https://a.example:99999/", false),
      ("https://a.example:x/", false), ("https://%/", false), ("mailto:a@b.example", false),
    ])
  func plausibleHosts(_ address: String, _ isPlausible: Bool) {
    #expect(WebAddress(address).hasPlausibleHost == isPlausible)
  }

  @Test("An address that would be longer than 4,096 bytes is not resolved") func tooLong() {
    let base = WebAddress("https://e.org/" + String(repeating: "a", count: 4_050) + "/")
    #expect(base.resolve(WebAddress("b"))?.text.utf8.count == 4_066)
    #expect(base.resolve(WebAddress(String(repeating: "b", count: 64))) == nil)
    #expect(base.resolve(WebAddress("/" + String(repeating: "b", count: 64))) != nil)
    #expect(
      base.resolve(WebAddress("http://e.org/?" + String(repeating: "b", count: 4_096))) == nil)
  }

  @Test(
    "Other programs get addresses percent-encoded",
    arguments: [
      (
        "https://s.example/a b/ü?q=ä ö#frag ment",
        "https://s.example/a%20b/%C3%BC?q=%C3%A4%20%C3%B6#frag%20ment"
      ),
      ("https://u@bücher.example:8/ä", "https://u@xn--bcher-kva.example:8/%C3%A4"),
      (
        "https://s.example/100%/50%25?a=\"x\"&b=$(id)`id`;ls|cat",
        "https://s.example/100%/50%25?a=%22x%22&b=$(id)%60id%60;ls%7Ccat"
      ),
      ("https://s.example/it's?a=[1]", "https://s.example/it's?a=[1]"),
      ("mailto:a@b.example?subject=x y", "mailto:a@b.example?subject=x%20y"),
      ("magnet:?xt=urn:btih:aa&dn=x", "magnet:?xt=urn:btih:aa&dn=x"),
    ])
  func encodedForPrograms(address: String, expected: String) {
    #expect(WebAddress(address).encoded == expected)
    #expect(WebAddress(expected).encoded == expected)
  }

  @Test(
    "An address that begins with a host gets a scheme",
    arguments: [
      ("www.example.org/x", "http://www.example.org/x"),
      ("WWW.example.org", "http://WWW.example.org"), ("www.html", "www.html"),
      ("www.a.b?c", "http://www.a.b?c"), ("wwww.a.b", "wwww.a.b"), ("x/www.a.b", "x/www.a.b"),
    ])
  func hostGetsScheme(address: String, expected: String) {
    #expect(WebAddress.completed(address) == expected)
  }
}
