@Suite("Details of failures") struct FailureDetailTests {
  static let all: [FailureDetail] = [
    .exitCode(7), .signal(9), .timeLimit(seconds: 60), .cannotStart(.said("No such file")),
    .cannotStart(.noStartDirectory), .notAllowed("exec:a b:c"), .noProgram, .noStartDirectory,
    .cancelled, .byteLimit(15_728_640), .notARegularFile, .unreadable, .sameName(1_000), .otherPart,
    .endsEarly, .webPage(hasFeed: true), .webPage(hasFeed: false), .otherXML("a:b"), .otherJSON,
    .plainText, .damagedList, .emptyList, .feeds(2_001), .notSubscribed, .consentPage, .robotCheck,
    .signInPage, .subscriberPage, .needsScripts, .cookies(.notARegularFile),
    .passwordCommand(.cannotStart(.noProgram)), .said("No such file or directory"),
  ]

  @Test("A stored code is read back as the same detail", arguments: all)
  func roundTrip(detail: FailureDetail) {
    #expect(FailureDetail(code: detail.code) == detail)
  }

  @Test(
    "A text that is not a code is kept as a message",
    arguments: [
      "", "404: No feed", "SSL certificate problem: self-signed certificate", "exit-code:",
      "exit-code:x", "exit-code", ":", "example.org", "byte-limit:99999999999999999999",
    ])
  func said(text: String) {
    #expect(FailureDetail(code: text) == .said(text))
  }
}
