import Foundation
import Programs

enum FetchFailure: Error, Equatable {
  case transport(TransportError)
  /// A failure of a local file or program.
  case own(RefreshFailure.Kind, FailureDetail)

  static let cancelled = FetchFailure.transport(TransportError(.cancelled))

  var isCancelled: Bool {
    if case .transport(let error) = self { error.kind == .cancelled } else { false }
  }
}

/// Reads the user's files and runs the user's programs. Only this type opens files for feeds.
/// Blocking work runs on separate threads, so that tasks and parsing do not wait.
struct LocalSourceReader: Sendable {
  let gate: HostGate
  /// The limit in bytes.
  let limit: Int
  /// The time limit of a program.
  var timeout = Duration.seconds(60)

  func file(_ path: String) async throws(FetchFailure) -> [UInt8] {
    let limit = limit
    let result = await gate.withPermit(LocalSource.hostKey) {
      await OwnThread.run { _ in
        Result { () throws(FetchFailure) in
          try Self.read(ProgramRunner.inHome(path), limit: limit)
        }
      }
    }
    return try (result ?? .failure(.cancelled)).get()
  }

  /// - Parameters:
  ///   - input: the program's standard input.
  ///   - environment: entries `NAME=value`, added to Weir's.
  func program(
    _ words: [String], input: [UInt8] = [], environment: [String] = []
  ) async throws(FetchFailure) -> [UInt8] {
    // The first of two equal names counts.
    let all = environment + ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
    let runner = ProgramRunner(timeout: timeout, outputLimit: limit)
    let result = await gate.withPermit(LocalSource.hostKey) {
      await Result { () async throws(ProgramRunner.Failure) in
        try await runner.output(
          of: words, input: input, environment: environment.isEmpty ? nil : all)
      }
    }
    switch result {
    case .success(let bytes): return bytes
    case .failure(.cancelled), nil: throw .cancelled
    case .failure(.tooMuch(let bytes)): throw .own(.tooLarge, .byteLimit(bytes))
    case .failure(let failure): throw .own(.programFailed, failure.detail)
    }
  }

  private static func read(_ path: String, limit: Int) throws(FetchFailure) -> [UInt8] {
    // The open must not block on a pipe or a device.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw .own(.unreadableFile, .said(String(cString: strerror(errno)))) }
    let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .own(.unreadableFile, .notARegularFile)
    }
    do {
      let data = try handle.read(upToCount: limit + 1) ?? Data()
      guard data.count <= limit else {
        throw FetchFailure.own(.tooLarge, .byteLimit(limit))
      }
      return Array(data)
    } catch let failure as FetchFailure {
      throw failure
    } catch {
      throw .own(.unreadableFile, .unreadable)
    }
  }
}
