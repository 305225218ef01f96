import Foundation

/// The tokens of a session: from `ClientLogin` for all calls, and a short-lived token for changes.
struct GoogleReaderSession: Sendable {
  var baseURL: String
  var auth: String
  /// The answer to `token`, sent as the field `T` with every change. Miniflux requires only this
  /// token.
  var token: String?

  var headers: [(name: String, value: String)] {
    [("Authorization", "GoogleLogin auth=\(auth)")]
  }

  /// Returns a title as the publisher or the user wrote it.
  func title(_ text: String) -> String {
    FreshRSSText.isEscaped(at: baseURL) ? FreshRSSText.unescaped(text) : text
  }

  /// Creates `GET reader/api/0/…`. Some servers answer 501 or XML without `output=json`.
  func get(_ path: String, _ fields: [(name: String, value: String)] = []) -> HTTPRequest {
    HTTPRequest(
      url: "\(baseURL)/reader/api/0/\(path)?" + Form([("output", "json")] + fields).text,
      headers: headers)
  }

  /// Creates `POST reader/api/0/…`. The token comes first, then the fields in order, because
  /// FreshRSS reads only the first thousand.
  func post(
    _ path: String, _ fields: [(name: String, value: String)],
    limits: TransferLimits = TransferLimits()
  ) -> HTTPRequest {
    .form(
      "\(baseURL)/reader/api/0/\(path)", Form([("T", token ?? "")] + fields), headers: headers,
      limits: limits)
  }
}

/// A call of the Google Reader API within a session.
protocol GoogleReaderRequest: AccountRequest {
  var session: GoogleReaderSession { get set }
}

/// A call that changes something. It requires a token, and the server answers `OK`.
protocol GoogleReaderChange: GoogleReaderRequest where Value == Void {}

extension GoogleReaderChange {
  func failure(of response: HTTPResponse) -> AccountError? { AccountAnswer.refusal(of: response) }

  func value(of response: HTTPResponse) throws(AccountError) { try requireOK(response) }

  /// - Parameter orNothing: true if an empty answer also confirms the change.
  func requireOK(_ response: HTTPResponse, orNothing: Bool = false) throws(AccountError) {
    // An answer that begins like HTML is the page of a captive portal, which confirms nothing.
    if response.body.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") {
      throw .noSuchAPI(status: response.status)
    }
    let text = AccountAnswer.excerpt(response)
      .trimmingCharacters(in: CharacterSet(charactersIn: "\""))
    // Some servers send `OK` as a JSON string.
    if text.uppercased().hasPrefix("OK") { return }
    if orNothing, text.isEmpty || text == "{}" { return }
    throw .unusable(detail: text)
  }
}

/// Sends `GET token`, which returns the token that every change carries.
struct TokenRequest: GoogleReaderRequest {
  /// The limit of a token in bytes.
  private static let longest = 4_096

  var session: GoogleReaderSession

  var httpRequest: HTTPRequest { session.get("token") }

  func value(of response: HTTPResponse) throws(AccountError) -> String {
    let token = String(decoding: response.body, as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    // A token is one word of visible ASCII; any other answer is a page or an error.
    guard !token.isEmpty, !token.hasPrefix("<"), token.utf8.count <= Self.longest,
      token.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else {
      throw .unusable(detail: AccountAnswer.excerpt(response))
    }
    return token
  }
}
