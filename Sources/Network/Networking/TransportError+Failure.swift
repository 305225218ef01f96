package import FeedModel

extension RefreshFailure.Kind {
  package init(_ error: TransportError) {
    self =
      switch error.kind {
      case .hostNotFound: .hostNotFound
      case .connectionRefused: .connectionRefused
      case .connectTimedOut: .connectTimedOut
      case .connectionLost, .other, .cancelled: .connectionLost
      case .stalled: .stalled
      case .proxy: .proxy
      case .offline: .offline
      case .tls: .tls
      case .tooLarge: .tooLarge
      case .headersTooLarge: .headersTooLarge
      case .tooMuchFraming: .tooMuchFraming
      case .tooSlow: .tooSlow
      case .truncated: .truncated
      case .badEncoding: .badEncoding
      case .notHTTP: .notHTTP
      case .forbiddenAddress: .forbiddenAddress
      case .unsupportedScheme, .badURL: .unsupportedScheme
      case .tooManyRedirects: .tooManyRedirects
      case .forbiddenRedirect: .forbiddenRedirect
      case .notStored: .storage
      }
  }
}
