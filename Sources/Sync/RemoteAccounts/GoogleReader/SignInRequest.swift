/// Sends `POST accounts/ClientLogin`, which returns the token that all further calls carry.
struct SignInRequest: AccountRequest {
  var configuration: BackendConfiguration
  var password: String

  var httpRequest: HTTPRequest {
    .form(
      configuration.baseURL + "/accounts/ClientLogin",
      Form([
        ("Email", configuration.user), ("Passwd", password), ("client", configuration.clientName),
        ("accountType", "HOSTED_OR_GOOGLE"), ("service", "reader"),
      ]))
  }

  /// Parses lines of `name=value`, in which the value may contain `=`.
  func value(of response: HTTPResponse) throws(AccountError) -> String {
    for line in String(decoding: response.body, as: UTF8.self).split(whereSeparator: \.isNewline) {
      guard line.hasPrefix("Auth=") else { continue }
      let word = line.dropFirst("Auth=".count)
      // The token becomes part of a header.
      guard !word.isEmpty, word.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else { break }
      return String(word)
    }
    throw .noSuchAPI(status: response.status)
  }

  /// Recognizes 400 with `BadAuthentication`, by which some servers answer a wrong password.
  func failure(of response: HTTPResponse) -> AccountError? {
    let failure = AccountAnswer.failure(of: response)
    if case .refused(_, let detail) = failure, detail.contains("BadAuthentication") {
      return .wrongCredentials
    }
    if failure == .wrongCredentials, response.status == 403 {
      let detail = AccountAnswer.excerpt(response)
      return detail.contains("BadAuthentication")
        ? .wrongCredentials : .refused(status: 403, detail: detail)
    }
    // FreshRSS answers this if "Allow API access" is off.
    if response.status == 503, AccountAnswer.excerpt(response) == "Service Unavailable!" {
      return .noSuchAPI(status: 503)
    }
    return failure
  }
}
