@testable import SyncEngine

/// Rows in place of those of a cache.
private let rows = Mutex<Set<Int64>>([])

/// A new kind of operation: the icon of a site, in place of pictures.
private struct IconOperation: SyncOperation {
  static let kind = OperationKind.picture

  let row: Int64
  let fetcher: Fetcher

  init?(row: Int64, fetcher: Fetcher, context: OperationContext) {
    guard rows.withLock({ $0.contains(row) }) else { return nil }
    (self.row, self.fetcher) = (row, fetcher)
  }

  static func pending(in context: OperationContext) -> [OperationEntry] {
    rows.withLock { $0.sorted() }.map { entry($0, host: "icons.example", .scheduled, in: context) }
  }

  static func wanted(in context: OperationContext) -> Set<Int64>? { rows.withLock { $0 } }

  static func name(of row: Int64, in context: OperationContext) -> String? { "icon \(row)" }

  var address: String? { "http://icons.example/\(row)" }

  func fetch() async -> Result<DocumentResponse, FetchFailure> {
    do throws(FetchFailure) {
      return .success(
        try await fetcher.fetch(
          "http://icons.example/\(row)", .page, from: AddressSource(access: .denied)))
    } catch {
      return .failure(error)
    }
  }

  func networkEnd(of answer: Result<DocumentResponse, FetchFailure>) -> OperationEnd? {
    answer.networkEnd(host: "icons.example")
  }

  func digest(_ answer: Result<DocumentResponse, FetchFailure>) -> Int64? { row }

  func store(_ row: Int64) async throws(StoreError) -> [SyncEvent] {
    rows.withLock { _ = $0.remove(row) }
    return []
  }
}

/// A new kind of operation is a case of `OperationKind`, one file, and one line that registers it.
@Suite("A new kind of operation", .serialized) final class NewKindTests: EngineSuite {
  private func controller(_ fixture: EngineFixture) -> NetworkController {
    var configuration = SyncConfiguration(directory: fixture.directory)
    configuration.initialSpread = .zero
    configuration.measuresHosts = false
    configuration.kinds.removeAll { $0.kind == .picture }
    configuration.kinds.append(IconOperation.self)
    let web = fixture.web
    return NetworkController(
      store: fixture.store.engine, accounts: fixture.store.accountSync, transport: { web },
      configuration: configuration, clock: fixture.clock)
  }

  @Test("Every kind has its operation") func kinds() {
    #expect(Set(OperationKinds.all.map { $0.kind }) == Set(OperationKind.allCases))
  }

  @Test("A new kind is queued, limited per host, shown in the console, counted and cancelled")
  func life() async throws {
    fixture.web.onAnythingElse { _ in .page("<html></html>") }
    rows.withLock { $0 = [1, 2, 3, 4] }
    fixture.web.pause()
    try await fixture.requests.setWatchesTelemetry(true)
    let controller = controller(fixture)
    controller.start()
    await fixture.web.waitForRequests(2)
    try await expectEventually(advancing: fixture.manual) {
      let told = try fixture.requests.telemetry()
      return told.operations.count { $0.isRunning } == 2 && told.waiting == [.hostBusy: 2]
    }
    let told = try fixture.requests.telemetry()
    #expect(told.operations.contains { $0.title == "Picture icon 1" })
    #expect(told.operations.allSatisfy { $0.host == "icons.example" })
    #expect(told.samples.last?.inFlight == 2)
    // A running and a waiting operation are no longer wanted.
    rows.withLock { $0.subtract([1, 4]) }
    _ = try await fixture.requests.requestDiscovery(url: "http://new.example/")
    try await expectEventually { fixture.web.urls.contains("http://icons.example/3") }
    fixture.web.release()
    try await expectEventually { rows.withLock { $0.isEmpty } }
    #expect(!fixture.web.urls.contains("http://icons.example/4"))
    await controller.end()
  }

  @Test("A new kind is requeued if the network fails, and done when the network is back")
  func requeueing() async throws {
    fixture.web.onAnythingElse { _ in .failure(.offline) }
    rows.withLock { $0 = [1] }
    let controller = controller(fixture)
    controller.start()
    for await event in controller.events {
      if case .limitChanged(.offline, _, _) = event { break }
    }
    #expect(rows.withLock { $0 } == [1])
    fixture.web.onAnythingElse { _ in .page("<html></html>") }
    #expect(try await fixture.pass(120) { rows.withLock { $0.isEmpty } })
    await controller.end()
  }
}
