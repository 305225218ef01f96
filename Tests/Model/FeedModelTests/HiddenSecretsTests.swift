@Suite("Hidden secrets in addresses") struct HiddenSecretsTests {
  @Test(
    "Credentials and the values of secret parameters are replaced",
    arguments: [
      ("https://me:pw@a.example/x", "https://***@a.example/x"),
      ("https://a.example/f?token=abc", "https://a.example/f?token=***"),
      ("https://a.example/f?a=1&key=abc&b=2", "https://a.example/f?a=1&key=***&b=2"),
      (
        "https://a.example/f?auth=x&SIG=y;api_key=z",
        "https://a.example/f?auth=***&SIG=***;api_key=***"
      ),
      ("https://a.example/f#access_token=x", "https://a.example/f#access_token=***"),
      ("https://s3.example/f?X-Amz-Signature=x", "https://s3.example/f?X-Amz-Signature=***"),
      (
        "GET https://a.example/?token=x failed, sig=1",
        "GET https://a.example/?token=*** failed, sig=1"
      ),
      ("\u{201C}https://a.example/?pass=x\" said", "\u{201C}https://a.example/?pass=***\" said"),
      ("https://me:pw@a.example/?sid=1&q=2", "https://***@a.example/?sid=***&q=2"),
    ])
  func replaces(text: String, shown: String) {
    #expect(HiddenSecrets.inText(text) == shown)
    #expect(HiddenSecrets.inText(shown) == shown)
  }

  @Test(
    "Other addresses and texts stay unchanged",
    arguments: [
      "https://a.example/?page=2&tag=token", "https://a.example/token=x", "a = b, mail a@b.c",
      "https://a.example/?token=", "https://a.example/?token", "",
    ])
  func leaves(text: String) { #expect(HiddenSecrets.inText(text) == text) }

  @Test("A feed without a title is named by its address, without secrets") func name() {
    #expect(
      HiddenSecrets.name(of: "https://me:pw@a.example/?key=1") == "https://a.example/?key=***")
  }
}
