public import Networking

/// What the user set for the feeds at an address.
public struct FeedSettings: Sendable, Equatable {
  public enum Password: Sendable, Equatable, Hashable {
    case text(String)
    /// A program and its arguments: the first line that it prints. Run once, when it is needed
    /// first.
    case command([String])
  }
  /// Nil: Weir's own.
  public var userAgent: String?
  public var proxy: ProxyChoice
  public var user: String?
  public var password: Password?

  public init(
    userAgent: String? = nil, proxy: ProxyChoice = .environment, user: String? = nil,
    password: Password? = nil
  ) {
    self.userAgent = userAgent
    self.proxy = proxy
    self.user = user
    self.password = password
  }
}

/// Makes of what the user set for an address what its requests are sent with. Passwords that a
/// program knows are asked for once and kept as long as this lives, never written anywhere.
actor Identities {
  private let settings: @Sendable (String) -> FeedSettings
  private let reader: LocalSourceReader
  private var answers: [[String]: Task<Result<String, FetchFailure>, Never>] = [:]

  init(settings: @escaping @Sendable (String) -> FeedSettings, reader: LocalSourceReader) {
    self.settings = settings
    self.reader = reader
  }

  func identity(for url: String) async throws(FetchFailure) -> RequestIdentity {
    let settings = settings(url)
    var identity = RequestIdentity(userAgent: settings.userAgent, proxy: settings.proxy)
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

  private func answer(of words: [String]) async throws(FetchFailure) -> String {
    let reader = reader
    let task =
      answers[words]
      ?? Task {
        do throws(FetchFailure) {
          let output = try await reader.program(words)
          let line = output.prefix { $0 != 0x0A && $0 != 0x0D }
          return .success(String(decoding: line, as: UTF8.self))
        } catch {
          return .failure(error)
        }
      }
    answers[words] = task
    let result = await task.value
    // A keyring that was locked may be open the next time.
    if case .failure = result { answers[words] = nil }
    switch result {
    case .success(let password): return password
    case .failure(.own(let kind, let detail)):
      throw .own(kind, detail: "password-command: \(detail)")
    case .failure(let failure): throw failure
    }
  }
}
