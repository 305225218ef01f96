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
    // A FIFO shows by a hang-up that an attempt opened and closed it.
    let name = folder.database.path + "-folder"
    try #require(unlink(name) == 0 && mkfifo(name, 0o600) == 0)
    var lock = pollfd(fd: open(name, O_RDONLY | O_NONBLOCK), events: 0, revents: 0)
    try #require(flock(lock.fd, LOCK_EX | LOCK_NB) == 0)
    let service = FolderService(
      store: fixture.store.engine, configuration: configuration, clock: fixture.clock
    ) { _ in }
    try await fixture.subscribe("http://a.example/feed")
    #expect(try folder.hasUnsent())
    async let end: Void = service.stop(deadline: .seconds(900))
    #expect(await eventually { poll(&lock, 1, 0) > 0 })
    close(lock.fd)
    await end
    #expect(try !folder.hasUnsent())
  }
}
