import Foundation
import Networking

/// The tokens of a session: that of `ClientLogin`, and the short-lived one for changes.
struct GoogleReaderSession: Sendable {
  var baseURL: String
  var auth: String
  /// The answer of `token`, sent as the field `T` with every change. Miniflux requires nothing
  /// else.
  var token: String?

  var headers: [(name: String, value: String)] {
    [("Authorization", "GoogleLogin auth=\(auth)")]
  }

  /// A title as the publisher or the user wrote it.
  func title(_ text: String) -> String {
    FreshRSSText.isEscaped(at: baseURL) ? FreshRSSText.unescaped(text) : text
  }

  /// `GET reader/api/0/…`. Without `output=json` some servers answer 501 or XML.
  func get(_ path: String, _ fields: [(name: String, value: String)] = []) -> HTTPRequest {
    HTTPRequest(
      url: "\(baseURL)/reader/api/0/\(path)?" + Form([("output", "json")] + fields).text,
      headers: headers)
  }

  /// `POST reader/api/0/…`. The token goes first, then the fields in their order: FreshRSS reads no
  /// more than the first thousand.
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

/// A call that changes something: it needs a token, and is answered with `OK`.
protocol GoogleReaderChange: GoogleReaderRequest where Value == Void {}

extension GoogleReaderChange {
  func failure(of response: HTTPResponse) -> AccountError? { AccountAnswer.refusal(of: response) }

  func value(of response: HTTPResponse) throws(AccountError) { try requireOK(response) }

  /// - Parameter orNothing: whether an empty answer also confirms the change.
  func requireOK(_ response: HTTPResponse, orNothing: Bool = false) throws(AccountError) {
    // A page of a captive portal says nothing about the change.
    if response.body.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") {
      throw .noSuchAPI(status: response.status)
    }
    let text = AccountAnswer.excerpt(response)
      .trimmingCharacters(in: CharacterSet(charactersIn: "\""))
    // Some servers send it as a JSON string.
    if text.uppercased().hasPrefix("OK") { return }
    if orNothing, text.isEmpty || text == "{}" { return }
    throw .unusable(detail: text)
  }
}

/// `GET token`: the word that every change carries.
struct TokenRequest: GoogleReaderRequest {
  /// The most bytes of a token.
  private static let longest = 4_096

  var session: GoogleReaderSession

  var httpRequest: HTTPRequest { session.get("token") }

  func value(of response: HTTPResponse) throws(AccountError) -> String {
    let token = String(decoding: response.body, as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    // Anything but one word of visible ASCII is a page or noise.
    guard !token.isEmpty, !token.hasPrefix("<"), token.utf8.count <= Self.longest,
      token.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else {
      throw .unusable(detail: AccountAnswer.excerpt(response))
    }
    return token
  }
}
