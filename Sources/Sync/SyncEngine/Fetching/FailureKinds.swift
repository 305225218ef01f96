import FeedParsing
package import Programs

extension RefreshFailureKind {
  /// True if a later try may succeed although nothing was changed.
  var isTransient: Bool {
    switch self {
    case .hostNotFound, .connectionRefused, .connectTimedOut, .connectionLost, .stalled, .offline,
      .proxy, .tls, .truncated, .badEncoding, .notHTTP, .rateLimited, .empty, .storage,
      .tooSlow:
      true
    case .tooLarge, .headersTooLarge, .tooMuchFraming, .httpStatus, .gone, .unauthorized,
      .tooManyRedirects, .forbiddenRedirect,
      .forbiddenAddress, .unsupportedScheme, .notAFeed, .unreadableFile, .programFailed, .noArticle,
      .pageChanged, .notAList:
      false
    }
  }

  init(status: Int) {
    self =
      switch status {
      case 401: .unauthorized
      case 410: .gone
      case 429: .rateLimited
      default: .httpStatus
      }
  }
}

extension ParseError {
  var detail: FailureDetail? {
    switch self {
    case .empty: nil
    case .webPage(let announced): .webPage(hasFeed: !announced.isEmpty)
    case .otherXML(let root): .otherXML(root)
    case .otherJSON: .otherJSON
    case .plainText: .plainText
    case .binary(let what): .said(what)
    case .damaged(let reason): .said(reason)
    }
  }
}

extension FetchFailure {
  var kind: RefreshFailure.Kind {
    switch self {
    case .transport(let error): RefreshFailure.Kind(error)
    case .own(let kind, _): kind
    }
  }

  var detail: FailureDetail? {
    switch self {
    case .transport(let error): error.detail.isEmpty ? nil : .said(error.detail)
    case .own(_, .said("")): nil
    case .own(_, let detail): detail
    }
  }
}

extension Result {
  /// Runs a body and holds its value or error.
  init(awaiting body: () async throws(Failure) -> Success) async {
    do throws(Failure) {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }
}

extension Result where Success: Sendable, Failure == FetchFailure {
  /// Returns the effect on the network's state; `nil` if nothing was sent.
  func networkEnd(host: String) -> OperationEnd? {
    if case .failure(.own) = self { nil } else { OperationEnd(self, host: host) }
  }
}

extension OperationEnd {
  init<Response>(_ answer: Result<Response, FetchFailure>, host: String) {
    self =
      switch answer {
      case .success: .answered
      // Programs do not depend on the network.
      case .failure(.own): .cancelled
      case .failure(.transport(let error)):
        switch error.kind {
        case .cancelled: .cancelled
        case .offline: .unreachable(host: host)
        case .hostNotFound: .unresolved(host: host)
        // The network delivered an answer.
        case .tooLarge, .headersTooLarge, .tooMuchFraming, .tooSlow, .badEncoding, .notHTTP,
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

extension ProgramRunner.Failure {
  package var detail: FailureDetail {
    switch self {
    case .cannotStart(let reason): .cannotStart(reason.detail)
    case .exited(let code): .exitCode(Int(code))
    case .ended(let signal): .signal(Int(signal))
    case .tookTooLong(let limit): .timeLimit(seconds: Int(limit.components.seconds))
    case .tooMuch(let bytes): .byteLimit(bytes)
    case .cancelled: .cancelled
    }
  }
}

extension ProgramStart.Failure {
  package var detail: FailureDetail {
    switch self {
    case .noProgram: .noProgram
    case .noStartDirectory: .noStartDirectory
    case .error(let text): .said(text)
    }
  }
}
