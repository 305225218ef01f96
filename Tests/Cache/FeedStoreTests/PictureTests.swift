import GRDB

@testable import ArticleStore
@testable import CacheCore
@testable import FeedStore
@testable import WorkStore

@Suite("The store of pictures") final class PictureTests: CacheSuite {
  private let a = "https://example.org/a.png"
  private let b = "https://example.org/b.png"

  private func size(_ width: Int = 64, _ height: Int = 48) -> PictureSize {
    PictureSize(width: width, height: height)
  }

  private func request(
    _ cache: TestCache, visible: [String] = [], ahead: [String] = [], isRepeated: Bool = false
  ) async throws {
    let feed = try cache.store.reader.feeds.feed(url: "https://example.org/pictures")
    let id: FeedID = if let feed { feed.id } else { try await cache.feed("pictures") }
    try await cache.store.reader.pictures.requestPictures(
      RequestedPictures(
        visible: visible.map { .init(url: $0, feed: id) },
        ahead: ahead.map { .init(url: $0, feed: id) }, isRepeated: isRepeated))
  }

  private func state(_ url: String, _ cache: TestCache) throws -> Picture.State? {
    try cache.store.reader.pictures.known(at: [url])[url]?.state
  }

  private func receive(_ url: String, _ bytes: [UInt8], _ cache: TestCache) async throws {
    let task = try #require(try cache.engine.pictures.pending().first { $0.url == url })
    try await cache.store.engine.pictures.finishPicture(
      task.id,
      .received(bytes, size(), PictureValidators(etag: "\"1\"", lastModified: nil, from: url)))
  }

  @Test("Visible pictures are fetched before those of the next screens; requests survive a restart")
  func order() async throws {
    try await request(cache, visible: [b], ahead: [a, "ftp://example.org/c.png"])
    let other = try cache.another()
    defer { other.close() }
    let tasks = try other.engine.pictures.pending()
    #expect(tasks.map(\.url) == [b, a])
    #expect(tasks.map(\.isVisible) == [true, false])
    #expect(
      tasks.allSatisfy {
        $0.referrers.feed?.contains("example.org") == true && $0.validators == nil
      })
    #expect(try state(a, cache) == .waiting)
    // On the next screen, the other picture is visible.
    try await request(cache, visible: [a])
    #expect(try other.engine.pictures.pending().map(\.url) == [a, b])
  }

  @Test("A picture's file is private, and its size is known before it is read")
  func file() async throws {
    try await request(cache, visible: [a])
    try await receive(a, SamplePictures.png, cache)
    guard case .stored(let stored) = try state(a, cache) else {
      Issue.record("not stored")
      return
    }
    #expect(stored.size == size())
    #expect(stored.length == SamplePictures.png.count)
    #expect(try await cache.store.reader.pictures.pictureBytes(stored) == SamplePictures.png)
    let path = PictureFiles(beside: cache.directory + "/weir.db")
      .path(id: stored.id, hash: stored.hash)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try cache.store.engine.pictures.waiting().isEmpty)
    // A new request finds the picture; a month later, it is revalidated once it is visible.
    try await request(cache, visible: [a])
    #expect(try cache.store.engine.pictures.pending().isEmpty)
    cache.clock.now += 40 * 86_400
    try await request(cache, ahead: [a])
    #expect(try cache.store.engine.pictures.pending().isEmpty)
    try await request(cache, visible: [a])
    let task = try #require(try cache.store.engine.pictures.pending().first)
    #expect(task.validators == PictureValidators(etag: "\"1\"", from: a))
    #expect(try state(a, cache) == .stored(stored))
    try await cache.store.engine.pictures.finishPicture(task.id, .notModified)
    #expect(try state(a, cache) == .stored(stored))
    try await request(cache, visible: [a])
    #expect(try cache.store.engine.pictures.pending().isEmpty)
  }

  @Test("The least recently used pictures are deleted to make room, and their sizes stay known")
  func room() async throws {
    let cache = try TestCache(pictureLimit: 2_500)
    let urls = (0..<4).map { "https://example.org/\($0).png" }
    for (index, url) in urls.enumerated() {
      cache.clock.now += 2 * 86_400
      try await request(cache, visible: [url])
      try await receive(url, [UInt8](repeating: UInt8(index), count: 1_000), cache)
      // The first picture is used every time.
      cache.clock.now += 3_600
      if index > 0 { try await request(cache, visible: [urls[0]]) }
    }
    #expect(try state(urls[1], cache) == .absent)
    #expect(try state(urls[2], cache) == .absent)
    #expect(try cache.store.reader.pictures.known(at: urls)[urls[1]]?.size == size())
    let files = PictureFiles(beside: cache.directory + "/weir.db").all()
    #expect(files.count == 2)
    let report = try await cache.store.maintenance.checkPictures()
    #expect((report.count, report.damaged, report.strays) == (2, 0, 0))
    #expect(report.bytes == 2_000)
  }

  @Test("A damaged file is not shown, and is fetched again without its validators")
  func damage() async throws {
    try await request(cache, visible: [a, b])
    try await receive(a, SamplePictures.png, cache)
    try await receive(b, SamplePictures.gif, cache)
    guard case .stored(let first) = try state(a, cache),
      case .stored(let second) = try state(b, cache)
    else {
      Issue.record("not stored")
      return
    }
    let files = PictureFiles(beside: cache.directory + "/weir.db")
    var bytes = SamplePictures.png
    bytes[100] ^= 1
    try Data(bytes).write(to: URL(filePath: files.path(id: first.id, hash: first.hash)))
    #expect(try await cache.store.reader.pictures.pictureBytes(first) == nil)
    let task = try #require(try cache.store.engine.pictures.pending().first)
    #expect(task.url == a && task.validators == nil)
    // The check of `weir doctor` finds the other picture, whose file is missing.
    files.remove(id: second.id, hash: second.hash)
    let report = try await cache.store.maintenance.checkPictures()
    #expect((report.count, report.damaged) == (0, 1))
    #expect(try state(b, cache) == .absent)
    #expect(try await cache.store.maintenance.checkPictures().damaged == 0)
  }

  @Test("A failed picture is fetched again after a pause; a refused one only on request")
  func failures() async throws {
    try await request(cache, visible: [a, b])
    let tasks = try cache.store.engine.pictures.pending()
    let failure = RefreshFailure(kind: .httpStatus, status: 404, since: TestCache.start)
    try await cache.store.engine.pictures.finishPicture(tasks[0].id, .failed(failure))
    try await cache.store.engine.pictures.finishPicture(tasks[1].id, .refused(.tracker))
    #expect(try state(a, cache) == .failed(failure))
    #expect(try state(b, cache) == .refused(.tracker))
    try await request(cache, visible: [a, b])
    #expect(try cache.store.engine.pictures.pending().isEmpty)
    cache.clock.now += 3_600
    try await request(cache, visible: [a, b])
    #expect(try cache.store.engine.pictures.pending().map(\.url) == [a])
    try await request(cache, visible: [a, b], isRepeated: true)
    #expect(try cache.store.engine.pictures.pending().map(\.url) == [a, b])
  }

  @Test("A request without new pictures writes nothing") func quiet() async throws {
    try await request(cache, visible: [a], ahead: [b])
    let version = try cache.store.database.read { db in
      try Int.fetchOne(db, sql: "SELECT sum(version) FROM changeVersion")
    }
    try await request(cache, visible: [a], ahead: [b])
    let after = try cache.store.database.read { db in
      try Int.fetchOne(db, sql: "SELECT sum(version) FROM changeVersion")
    }
    #expect(version == after)
  }
}
