import Foundation

/// The user's settings for the feeds at an address.
public struct FeedSettings: Sendable, Equatable {
  /// The source of the password.
  public enum Password: Sendable, Equatable, Hashable {
    case text(String)
    /// A program and its arguments, which runs once, at the first use. The first line of its output
    /// is the password.
    case command([String])
  }
  /// The user agent; `nil` for Weir's own.
  public var userAgent: String?
  public var proxy: ProxyChoice
  public var user: String?
  /// The password, used only with `user`; `nil` for an empty password.
  public var password: Password?
  public var options: FeedOptions
  /// The configured address; `nil` if the settings are for all feeds.
  public var address: WebAddress?
  /// Header lines for the account at the address, sent in no other request.
  public var accountHeaders: String?

  public init(
    userAgent: String? = nil, proxy: ProxyChoice = .environment, user: String? = nil,
    password: Password? = nil, options: FeedOptions = FeedOptions()
  ) {
    (self.options, self.userAgent, self.proxy, self.user) = (options, userAgent, proxy, user)
    self.password = password
  }

  var hasSecrets: Bool { user != nil || options.headers != nil || options.cookies != nil }

  /// Returns true if all documents lie below the configured address, so that addresses in them may
  /// get its secrets.
  func covers(_ documents: [String]) -> Bool {
    documents.allSatisfy { document in
      address.map { LocalSource.webAddress(of: document).isBelow($0) } ?? false
    }
  }

  var withoutSecrets: FeedSettings {
    var rest = self
    (rest.user, rest.password) = (nil, nil)
    (rest.options.headers, rest.options.cookies) = (nil, nil)
    return rest
  }
}

/// Turns settings into request identities. Passwords from programs are requested once and held in
/// memory only.
actor Identities {
  private let settings: @Sendable (String) -> FeedSettings
  private let reader: LocalSourceReader
  private var answers: [[String]: Task<Result<String, FetchFailure>, Never>] = [:]

  init(settings: @escaping @Sendable (String) -> FeedSettings, reader: LocalSourceReader) {
    (self.settings, self.reader) = (settings, reader)
  }

  /// - Parameters:
  ///   - source: decides whether the configuration's secrets are sent.
  ///   - own: the feed's settings in the cache, which override the configuration.
  func identity(
    for url: String, from source: AddressSource, _ own: FeedOptions = FeedOptions(), at now: Date
  ) async throws(FetchFailure) -> RequestIdentity {
    let found = settings(url)
    let settings = found.covers(source.referrers) ? found : found.withoutSecrets
    let proxy = own.proxy.map { ProxyChoice($0, hasExceptions: false) }
    var identity = RequestIdentity(
      userAgent: own.userAgent ?? settings.userAgent, proxy: proxy ?? settings.proxy,
      headers: own.headers ?? settings.options.headers)
    if let file = own.cookies ?? settings.options.cookies {
      identity.cookies = Cookie.file(try await cookies(file), at: now)
    }
    guard let user = settings.user else { return identity }
    let password =
      switch settings.password {
      case nil: ""
      case .text(let text): text
      case .command(let words): try await answer(of: words)
      }
    identity.credentials = Credentials(user: user, password: password)
    return identity
  }

  /// Reads the cookies for each request, because browser extensions rewrite the file.
  private func cookies(_ file: String) async throws(FetchFailure) -> [UInt8] {
    do throws(FetchFailure) {
      return try await reader.file(file)
    } catch .own(let kind, let detail) {
      throw .own(kind, .cookies(detail))
    }
  }

  private func answer(of words: [String]) async throws(FetchFailure) -> String {
    let reader = reader
    let task =
      answers[words]
      ?? Task {
        await Result { () async throws(FetchFailure) in
          let output = try await reader.program(words)
          return String(decoding: output.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
        }
      }
    answers[words] = task
    let result = await task.value
    // A locked keyring may be open the next time.
    if case .failure = result { answers[words] = nil }
    switch result {
    case .success(let password): return password
    case .failure(.own(let kind, let detail)):
      throw .own(kind, .passwordCommand(detail))
    case .failure(let failure): throw failure
    }
  }
}
