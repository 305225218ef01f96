import Foundation

/// A call of an account's protocol, and the mapping of its answer.
struct AccountCall<Value: Sendable>: Sendable {
  let request: HTTPRequest
  /// Returns the failure of a status; `nil` if the status counts as a success.
  private let failure: @Sendable (HTTPResponse) -> AccountError?
  private let value: @Sendable (HTTPResponse) throws(AccountError) -> Value

  /// - Parameter value: returns the value of a success. Throws if the answer does not fit the call.
  init(
    _ request: HTTPRequest,
    failure: @escaping @Sendable (HTTPResponse) -> AccountError? = AccountAnswer.failure(of:),
    value: @escaping @Sendable (HTTPResponse) throws(AccountError) -> Value
  ) {
    (self.request, self.failure, self.value) = (request, failure, value)
  }

  func map(_ answer: FollowedResponse) throws(AccountError) -> Value {
    // A redirect to another origin drops body and credentials, so its answer has no meaning.
    let address = WebAddress(answer.finalURL)
    if address.isOtherOrigin(than: WebAddress(request.url)) {
      throw .moved(to: "\(address.scheme ?? "")://\(address.authority ?? "")")
    }
    if let failure = failure(answer.response) { throw failure }
    return try value(answer.response)
  }
}

extension NetworkClient {
  func answer<Value>(to call: AccountCall<Value>) async throws(AccountError) -> Value {
    let answer: FollowedResponse
    do {
      answer = try await follow(call.request)
    } catch {
      throw .transport(error)
    }
    return try call.map(answer)
  }

  /// Detects whether a server redirects to https on the same host, before a password is sent
  /// unencrypted. Returns the same path at the https origin; `nil` if there is no such redirect.
  /// - Parameter url: an http address.
  public func encryptedAddress(of url: String) async throws(TransportError) -> String? {
    let end = WebAddress(try await follow(HTTPRequest(url: url)).finalURL)
    var address = WebAddress(url)
    guard end.scheme == "https", end.host == address.host else { return nil }
    address.scheme = end.scheme
    address.authority = end.authority
    return address.text
  }
}

/// Rules that all answers share.
enum AccountAnswer {
  static func failure(of response: HTTPResponse) -> AccountError? {
    switch response.status {
    case 200..<300: nil
    case 401, 403: .wrongCredentials
    case 404, 405, 410, 501: .noSuchAPI(status: response.status)
    case 429, 503:
      .busy(
        status: response.status, retryAfter: CacheHints(of: response, now: Date()).retryAfter)
    default: .refused(status: response.status, detail: excerpt(response))
    }
  }

  /// Returns a failure within a session, where the API exists and 404 concerns the named object.
  static func refusal(of response: HTTPResponse) -> AccountError? {
    let failure = failure(of: response)
    guard case .noSuchAPI(let status) = failure else { return failure }
    return .refused(status: status, detail: excerpt(response))
  }

  /// Returns the first words of an answer as plain text: one line of at most 120 characters.
  static func excerpt(_ response: HTTPResponse) -> String {
    excerpt(String(decoding: response.body.prefix(1_000), as: UTF8.self))
  }

  static func excerpt(_ text: String) -> String {
    let isPage = text.first { !$0.isWhitespace } == "<"
    let title = isPage ? text.firstMatch(of: /<title>([^<]+)</.ignoresCase())?.1 : nil
    let plain = title.map(String.init) ?? (isPage ? text.replacing(/<[^>]*>?/, with: " ") : text)
    let words = plain.unicodeScalars.split {
      $0.value <= 0x20 || (0x7F...0x9F).contains($0.value)
    }
    return String(words.map(String.init).joined(separator: " ").prefix(120))
  }

  /// Decodes a JSON object, whatever content type the server states.
  static func json(_ response: HTTPResponse) throws(AccountError) -> LooseJSON {
    let answer = try? JSONDecoder().decode(LooseJSON.self, from: Data(response.body))
    if let answer, answer.isObject { return answer }
    let isPage =
      response.header("content-type")?.contains("html") == true
      && response.body.first { $0 > 0x20 } == UInt8(ascii: "<")
    if isPage { throw .noSuchAPI(status: response.status) }
    throw .unusable(detail: excerpt(response))
  }
}

/// Encodes a form (WHATWG URL, 5.2) and keeps the order of its fields, which some servers require.
struct Form {
  let text: String

  init(_ fields: [(name: String, value: String)]) {
    text = fields.map { Self.encoded($0.name) + "=" + Self.encoded($0.value) }
      .joined(separator: "&")
  }

  private static let plain = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._*".utf8)

  private static func encoded(_ text: String) -> String {
    WebAddress.percentEncoded(text.utf8) { !plain.contains($0) }
  }
}

extension HTTPRequest {
  /// The request stays a POST after a 301 within the same origin.
  static func form(
    _ url: String, _ form: Form, headers: [(name: String, value: String)] = [],
    limits: TransferLimits = TransferLimits()
  ) -> HTTPRequest {
    HTTPRequest(
      method: .post, url: url,
      headers: headers + [("Content-Type", "application/x-www-form-urlencoded")],
      body: Array(form.text.utf8), limits: limits, keepsMethod: true)
  }
}

/// A part of a JSON answer. Servers disagree on types, so a part that is missing or has another
/// type is `nil`, and one odd field does not spoil the whole answer.
struct LooseJSON: Decodable, Sendable {
  /// A text, or a number as text.
  private(set) var text: String?
  private(set) var list: [LooseJSON]?
  private(set) var fields: [String: LooseJSON]?
  private var boolean: Bool?

  /// True for a Boolean that is true, and for a number or a text that is 1.
  var flag: Bool? { boolean ?? text.map { $0 == "1" } }
  var isObject: Bool { fields != nil }
  /// True for a missing field and for `null`.
  var isAbsent: Bool { text == nil && list == nil && fields == nil && boolean == nil }
  /// The elements of a list that are objects.
  var objects: [LooseJSON]? { list?.filter(\.isObject) }

  subscript(name: String) -> LooseJSON { fields?[name] ?? LooseJSON() }

  private init() {}

  init(from decoder: any Decoder) {
    guard let value = try? decoder.singleValueContainer() else { return }
    if let text = try? value.decode(String.self) {
      self.text = text
    } else if let fields = try? value.decode([String: LooseJSON].self) {
      self.fields = fields
    } else if let list = try? value.decode([LooseJSON].self) {
      self.list = list
    } else if let boolean = try? value.decode(Bool.self) {
      self.boolean = boolean
    } else if let number = try? value.decode(Decimal.self) {
      text = "\(number)"
    }
  }
}

/// The conversion of fields that both protocols have.
enum RemoteFields {
  /// - Parameter seconds: seconds since 1970.
  static func date(_ seconds: String?) -> Date? {
    seconds.flatMap { Double($0) }.flatMap {
      $0 > 0 && $0 < 1e11 ? Date(timeIntervalSince1970: $0) : nil
    }
  }

  static func authors(_ text: String?) -> [Author] {
    text.flatMap(RemoteAuthors.once).map { [Author(name: $0)] } ?? []
  }
}
