@testable import weir

@Suite("Advice about addresses that cannot be added") struct AddAdviceTests {
  private func sentence(_ kind: RefreshFailure.Kind, _ status: Int) -> String {
    AddCommand.sentence(
      RefreshFailure(kind: kind, status: status, since: Date(timeIntervalSince1970: 0)),
      url: "https://a.example/feed")
  }

  @Test(
    "A failure of the server is no reason to check the address",
    arguments: [(RefreshFailure.Kind.rateLimited, 429), (.httpStatus, 500), (.httpStatus, 503)])
  func temporary(kind: RefreshFailure.Kind, status: Int) {
    let sentence = sentence(kind, status)
    #expect(sentence.contains("Try again later, or add it unchecked: weir add --unchecked http"))
    #expect(!sentence.contains("Check the address"))
  }

  @Test("Other statuses advise to check the address", arguments: [400, 403, 404])
  func permanent(status: Int) {
    #expect(sentence(.httpStatus, status).hasSuffix("Check the address."))
  }

  @Test("The advice about a password is no secret that is hidden") func password() {
    let sentence = sentence(.unauthorized, 401)
    #expect(sentence.contains("user:password@host"))
    #expect(HiddenSecrets.inText(sentence) == sentence)
  }
}
