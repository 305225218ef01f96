import FeedModel
import FeedStore
import Foundation
import Networking
import Synchronization
import TestSupport
import Testing

@testable import NetworkMeasurement
@testable import SyncEngine

/// What the engine does when the controller of the width says so.
@Suite struct LineActionTests {
  /// Says what a test tells it to, and remembers what it was told.
  private final class Script: Sendable {
    struct State {
      var actions: [LineAction] = []
      var started: [(OperationID, WorkClass)] = []
      var ended: [(OperationID, OperationEnd)] = []
      var mayBeTheLine = false
    }
    let state = Mutex(State())
    func say(_ actions: LineAction...) { state.withLock { $0.actions += actions } }
    var started: [OperationID] { state.withLock { $0.started.map(\.0) } }
    var ended: [OperationEnd] { state.withLock { $0.ended.map(\.1) } }
  }

  private struct ScriptedWidth: WidthController {
    let script: Script
    mutating func operationStarted(_ id: OperationID, _ workClass: WorkClass, at now: Double) {
      script.state.withLock { $0.started.append((id, workClass)) }
    }
    mutating func observed(_ event: TransferEvent, by id: OperationID, at now: Double) {}
    mutating func operationEnded(
      _ id: OperationID, _ end: OperationEnd, demand: LineDemand, at now: Double
    ) -> Bool {
      script.state.withLock {
        $0.ended.append((id, end))
        return $0.mayBeTheLine
      }
    }
    mutating func probeEnded(reached: Bool, at now: Double) {}
    mutating func tick(at now: Double, demand: LineDemand) -> [LineAction] {
      script.state.withLock { state in
        defer { state.actions = [] }
        return state.actions
      }
    }
    func mayStart(_ workClass: WorkClass) -> Bool { true }
    var width: Int { 8 }
    var grade: LineGrade? { .good }
    var failedProbes: Int { 0 }
    func outage(at now: Double) -> Double { 0 }
    var hasHeard: Bool { true }
    var isInDoubt: Bool { false }
    var rate: Double { 0 }
    var patience: LinePatience { LinePatience(silence: 45, connect: 30, receiveBuffer: 32_768) }
    var reason: WidthReason { .fixed }
  }

  private func begin(_ bench: Bench, _ script: Script) -> Task<SyncSummary, Never> {
    let controller = bench.controller {
      $0.widthController = { _ in ScriptedWidth(script: script) }
    }
    return Task { await bench.runWithTime(controller) }
  }

  @Test(.timeLimit(.minutes(2))) func workThatIsTakenOffTheLineIsDoneLater() async throws {
    let bench = try Bench()
    bench.web.onAnythingElse { .feed(rss($0.url)) }
    try await bench.subscribe((1...3).map { "http://h\($0).example/" })
    bench.web.hold()
    let script = Script()
    let run = begin(bench, script)
    await bench.web.waitForRequests(3)
    script.say(.requeue(script.started[0]))
    await bench.web.waitForRequests(4)
    #expect(bench.web.requests(to: "http://h1.example/").count == 2)
    bench.web.release()
    let summary = await run.value
    #expect(summary.done == 3)
    #expect(summary.failed == 0)
    #expect(script.ended.count { $0 == .cancelled } == 1)
    #expect(try bench.store.reader.count(ArticleQuery(scope: .all)) == 9)
  }

  @Test(.timeLimit(.minutes(2))) func whatIsPausedIsNotReadUntilItMay() async throws {
    let bench = try Bench()
    bench.web.onAnythingElse { .feed(rss($0.url)) }
    try await bench.subscribe("http://a.example/")
    bench.web.hold()
    let script = Script()
    let run = begin(bench, script)
    await bench.web.waitForRequests(1)
    let request = try #require(bench.web.log.first)
    let valve = try #require(request.valve)
    #expect(request.limits.silence == 45)
    #expect(request.limits.connect == 30)
    #expect(request.limits.receiveBuffer == 32_768)
    let id = script.started[0]
    script.say(.pause(id))
    #expect(try await Bench.eventually { valve.isClosed })
    script.say(.resume(id))
    #expect(try await Bench.eventually { !valve.isClosed })
    bench.web.release()
    #expect(await run.value.done == 1)
  }

  @Test(.timeLimit(.minutes(2)), arguments: [true, false])
  func aTimeoutThatMayBeTheLinesIsTriedOnceMore(mayBe: Bool) async throws {
    let bench = try Bench()
    bench.web.onAnythingElse { _ in .failure(.stalled) }
    let feed = try await bench.subscribe("http://a.example/")[0]
    let script = Script()
    script.state.withLock { $0.mayBeTheLine = mayBe }
    let summary = await begin(bench, script).value
    #expect(summary.done == 1)
    #expect(summary.failed == 1)
    #expect(bench.web.log.count == (mayBe ? 2 : 1))
    #expect(script.ended.allSatisfy { $0 == .timedOut })
    #expect(try bench.state(feed)?.failure?.kind == .stalled)
  }

  @Test(.timeLimit(.minutes(2))) func aProbeAsksAHostThatAnswered() async throws {
    let bench = try Bench()
    bench.web.onAnythingElse { .feed(rss($0.url)) }
    try await bench.subscribe("http://a.example/")
    let script = Script()
    let proxy = ProxyChoice.server("socks5h://p.example", hasExceptions: false)
    let controller = bench.controller {
      $0.widthController = { _ in ScriptedWidth(script: script) }
      $0.settings = { _ in FeedSettings(proxy: proxy) }
    }
    _ = await bench.runWithTime(controller)
    try await bench.subscribe("http://b.example/")
    bench.web.on("http://b.example/", .hang)
    bench.web.forget()
    let run = Task { await bench.runWithTime(controller) }
    await bench.web.waitForRequests(1)
    script.say(.probe)
    await bench.web.waitForRequests(2)
    #expect(bench.web.log.last?.method == .head)
    #expect(bench.web.log.last?.url == "http://a.example/")
    #expect(bench.web.log.last?.identity.proxy == proxy)
    run.cancel()
    _ = await run.value
  }

  /// The whole, with the controller that adapts: half the hosts answer, then nothing is heard any
  /// more.
  @Test(.timeLimit(.minutes(2))) func aLineThatGoesSilentCostsNoFeedAFailure() async throws {
    let bench = try Bench()
    let isGone = Mutex(false)
    bench.web.onAnythingElse { request in
      if isGone.withLock({ $0 }) { return .hang }
      return .feed(rss(request.url))
    }
    let feeds = try await bench.subscribe((1...40).map { "http://h\($0).example/" })
    bench.web.hold()
    let controller = bench.controller()
    let run = Task { await bench.runWithTime(controller) }
    await bench.web.waitForRequests(12)
    for _ in 0..<6 { bench.web.releaseOne() }
    isGone.withLock { $0 = true }
    let isOffline = try await Bench.eventually {
      try bench.store.reader.syncStatus().grade == .offline
    }
    #expect(isOffline)
    // Everything that was on the line is off it.
    isGone.withLock { $0 = false }
    bench.web.release()
    let summary = await run.value
    #expect(summary.done == 40)
    #expect(summary.failed == 0)
    for feed in feeds { #expect(try bench.state(feed)?.failure == nil) }
    #expect(try bench.store.reader.syncStatus().grade != .offline)
  }
}
