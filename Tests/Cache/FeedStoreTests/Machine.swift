/// A cache that exchanges with a directory.
final class Machine {
  let cache: TestCache
  let number: UInt64
  let path: String
  var reader: ReaderCache { cache.store.reader }
  var folder: SharedFolderCache { cache.store.reader.sharedFolder }
  var exchange: FolderExchange { FolderExchange(folder, machine: number) }

  init(_ number: UInt64, _ path: String) throws {
    (cache, self.number, self.path) = (try TestCache(), number, path)
  }

  func join() async throws {
    try await exchange.begin(path: path)
    try await folder.join(.merge)
    try await run()
  }

  @discardableResult func run() async throws -> FolderProblem? { try await exchange.run() }

  func star(_ index: Int, _ isStarred: Bool = true) async throws {
    let articles = try cache.all(ArticleQuery(scope: .all))
    try await reader.states.set(.starred, [articles[index].id], isStarred)
  }

  func stars() throws -> [Bool] {
    try cache.all(ArticleQuery(scope: .all)).map(\.status.isStarred)
  }

  var ownDirectory: String {
    get throws { "\(path)/devices/\(try folder.folder()?.device.text ?? "")" }
  }

  func ownFiles() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: ownDirectory).sorted()
  }
}
