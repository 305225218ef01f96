package import FeedModel
package import Programs

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
