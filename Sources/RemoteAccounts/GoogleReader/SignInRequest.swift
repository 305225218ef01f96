import Networking

/// `POST accounts/ClientLogin`: a user and a password for the word that all further calls carry.
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

  /// Lines of `name=value`; the value may hold further `=`.
  func value(of response: HTTPResponse) throws(AccountError) -> String {
    for line in String(decoding: response.body, as: UTF8.self).split(whereSeparator: \.isNewline) {
      guard line.hasPrefix("Auth=") else { continue }
      let word = line.dropFirst("Auth=".count)
      // The word becomes a header.
      guard !word.isEmpty, word.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else { break }
      return String(word)
    }
    throw .noSuchAPI(status: response.status)
  }

  /// Some servers answer a wrong password with 400 and the reason `BadAuthentication`.
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
    // FreshRSS, where "Allow API access" is not ticked.
    if response.status == 503, AccountAnswer.excerpt(response) == "Service Unavailable!" {
      return .noSuchAPI(status: 503)
    }
    return failure
  }
}
