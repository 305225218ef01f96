import FeedModel
import FeedParsing
import NetworkMeasurement
import Networking

extension RefreshFailure.Kind {
  /// The storable kind of what went wrong on the way.
  init(_ error: TransportError) {
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
      case .forbiddenAddress: .forbiddenAddress
      case .unsupportedScheme, .badURL: .unsupportedScheme
      case .tooManyRedirects: .tooManyRedirects
      case .forbiddenRedirect: .forbiddenRedirect
      case .notStored: .storage
      }
  }

  /// Whether it may pass by itself; else somebody must change something first.
  var isTransient: Bool {
    switch self {
    case .hostNotFound, .connectionRefused, .connectTimedOut, .connectionLost, .stalled, .offline,
      .proxy, .tls, .truncated, .badEncoding, .rateLimited, .empty, .storage,
      .tooSlow:
      true
    case .tooLarge, .headersTooLarge, .tooMuchFraming, .httpStatus, .gone, .unauthorized,
      .tooManyRedirects, .forbiddenRedirect,
      .forbiddenAddress, .unsupportedScheme, .notAFeed, .unreadableFile, .programFailed, .noArticle,
      .pageChanged, .notAList:
      false
    }
  }

  /// The kind of a refusing status.
  init(status: Int) {
    self =
      switch status {
      case 401: .unauthorized
      // By plain HTTP the proxy's own refusal comes in the place of the answer (RFC 9110, 15.5.8).
      case 407: .proxy
      case 410: .gone
      case 429: .rateLimited
      default: .httpStatus
      }
  }
}

extension ParseError {
  /// What was found instead of a feed, as a short fact.
  var fact: String? {
    switch self {
    case .empty: nil
    case .webPage(let announced) where announced.isEmpty:
      "a web page, and it doesn't link to a feed"
    case .webPage: "a web page"
    case .otherXML(let root): "XML of another kind, <\(root)>"
    case .otherJSON: "JSON, but not a JSON Feed"
    case .plainText: "plain text"
    case .binary(let what): what
    case .damaged(let reason): reason
    }
  }
}

extension FetchFailure {
  /// As a failure's kind and the words to it.
  var fact: (kind: RefreshFailure.Kind, detail: String) {
    switch self {
    case .transport(let error): (RefreshFailure.Kind(error), error.detail)
    case .own(let kind, let detail): (kind, detail)
    }
  }
}

extension Result where Success: Sendable, Failure == FetchFailure {
  /// What an exchange's end says about the network; nil: nothing, as where a program failed before
  /// anything was sent.
  func networkEnd(host: String) -> OperationEnd? {
    if case .failure(.own) = self { nil } else { OperationEnd(self, host: host) }
  }
}

extension OperationEnd {
  /// What an exchange's end says about the line.
  init<Response>(_ answer: Result<Response, FetchFailure>, host: String) {
    self =
      switch answer {
      case .success: .answered
      // A program does not depend on the network.
      case .failure(.own): .cancelled
      case .failure(.transport(let error)):
        switch error.kind {
        case .cancelled: .cancelled
        case .offline: .unreachable(host: host)
        case .hostNotFound: .unresolved(host: host)
        // The line carried these well enough.
        case .tooLarge, .headersTooLarge, .tooMuchFraming, .tooSlow, .badEncoding,
          .unsupportedScheme, .badURL, .forbiddenAddress, .tls,
          .tooManyRedirects, .forbiddenRedirect, .notStored:
          .answered
        case .connectionRefused, .proxy: .refused(host: host)
        case .connectTimedOut, .stalled: .timedOut
        case .connectionLost, .truncated, .other: .failed
        }
      }
  }
}
