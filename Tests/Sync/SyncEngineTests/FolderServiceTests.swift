@testable import SyncEngine

@Suite("Exchange with a shared folder while a reader is open") struct FolderServiceTests {
  @Test("At the end, a change is written after the exchange that is running")
  func changeAtEnd() async throws {
    let fixture = try EngineFixture()
    let folder = fixture.store.engine.sharedFolder
    let path = fixture.directory + "/shared"
    _ = try await FolderExchange(folder).join(path: path) { _ in .merge }
    var configuration = SyncConfiguration(directory: fixture.directory)
    configuration.folderInterval = .seconds(60)
    let lock = open(folder.database.path + "-folder", O_RDWR)
    try #require(flock(lock, LOCK_EX | LOCK_NB) == 0)
    let service = FolderService(
      store: fixture.store.engine, configuration: configuration, clock: fixture.clock
    ) { _ in }
    try await fixture.subscribe("http://a.example/feed")
    #expect(try folder.hasUnsent())
    async let end: Void = service.stop(deadline: .seconds(900))
    // Some of the 500 attempts; passing does not depend on how many.
    try await Task.sleep(for: .milliseconds(100))
    close(lock)
    await end
    #expect(try !folder.hasUnsent())
  }
}
