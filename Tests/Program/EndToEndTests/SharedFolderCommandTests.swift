@Suite("A folder that two machines share", .ownThreads)
final class SharedFolderCommandTests: CommandSuite {
  /// The steps of the manual, on two machines.
  @Test("Two machines have the same feeds and marks through a folder") func twoMachines() throws {
    let (laptop, desk) = (try CommandFixture(), try CommandFixture())
    let origin = try Origin()
    for name in ["a", "b"] {
      origin.on("/\(name)", .answer(Feeds.rss(name, ["\(name) one", "\(name) two"])))
    }
    let path = laptop.home.appending(path: "shared").path
    try laptop.weir("add", "--unchecked", origin.url("/a"))
    try laptop.weir("sync")
    try laptop.weir("mark", "read", "1")
    let first = try laptop.weir("account", "add", "folder", path)
    #expect(first.code == 0 && first.output.hasPrefix("Joined \(path): 0 feeds there, 1 here"))
    try desk.weir("add", "--unchecked", origin.url("/b"))
    let joined = try desk.weir("account", "add", "folder", path, "--merge")
    #expect(joined.output.contains("1 feed there, 1 here, 0 the same"), "\(joined)")
    #expect(try desk.weir("sync").code == 0)
    // A feed of another machine reaches no private address until the user confirms it, and no other
    // feed of the laptop is due.
    #expect(try laptop.weir("sync").code == 1)
    let lists = try [laptop, desk].map { try $0.weir("account", "list", "--json").objects().last }
    #expect(lists[0]?["notConfirmed"] as? [String] == [origin.url("/b")])
    #expect(lists[1]?["notConfirmed"] as? [String] == [origin.url("/a")])
    for (machine, name) in [(laptop, "b"), (desk, "a")] {
      #expect(try machine.weir("add", origin.url("/\(name)")).output.contains("already have"))
      #expect(try machine.weir("sync").code == 0)
    }
    for machine in [laptop, desk] {
      let feeds = try machine.weir("feeds", "--json").objects().compactMap { $0["url"] as? String }
      #expect(Set(feeds) == [origin.url("/a"), origin.url("/b")])
      let articles = try machine.weir("articles", "--json").objects()
      let read = articles.filter { $0["read"] as? Bool == true }
      #expect(articles.count == 4 && read.count == 1, "\(articles)")
    }
    #expect(
      FileManager.default.fileExists(
        atPath: desk.dataDirectory.appending(path: "before-joining.db").path))
    let list = try desk.weir("account", "list")
    #expect(list.lines.count == 2 && list.output.contains(path))
    let json = try desk.weir("account", "list", "--json").objects()
    #expect(json.last?["kind"] as? String == "folder" && json.last?["waiting"] as? Int == 0)
    let synced = try desk.weir("sync", "--json").lines
    #expect(synced.count == 2 && synced[0].contains("\"kind\":\"folder\""), "\(synced)")
    // Another folder is refused, and so is a question about a device that was just seen.
    #expect(try desk.weir("account", "add", "folder", path + "2").code == 1)
    let device = ((json.last?["devices"] as? [[String: Any]])?.first?["device"] as? String) ?? ""
    #expect(try desk.weir("account", "forget", device).errors.contains("--yes"))
    let forgotten = try desk.weir("account", "forget", device, "--yes")
    #expect(forgotten.code == 0 && forgotten.errors.contains("listed again"))
    #expect(try desk.weir("account", "list").lines.count == 1)
    #expect(try desk.weir("account", "remove", "folder").code == 0)
    #expect(try desk.weir("feeds", "--json").objects().count == 2)
  }

  @Test("weir account sync exchanges with the folder under each of its names") func named() throws {
    let path = fixture.home.appending(path: "shared").path
    #expect(try fixture.weir("account", "sync", "folder").code == 1)
    #expect(try fixture.weir("account", "add", "folder", path).code == 0)
    let row = try #require(try fixture.weir("account", "list", "--json").objects().last)
    let name = try #require(row["title"] as? String)
    for (number, names) in [["folder"], [name], [path], []].enumerated() {
      try fixture.weir("add", "--unchecked", "http://127.0.0.1:1/\(number)")
      let synced = try fixture.start(["account", "sync"] + names).outcome()
      // A subscription and its place among the others.
      #expect(synced.output == "Wrote 2 changes into \(path)\n", "\(synced)")
    }
    #expect(try fixture.weir("account", "sync", "folder").output.hasPrefix("exchanged "))
    let json = try fixture.weir("account", "sync", "folder", "--json").lines
    #expect(json.count == 1 && json[0].contains("\"kind\":\"folder\""), "\(json)")
    #expect(try fixture.weir("account", "sync", "other").errors.contains("No account matches"))
  }

  @Test("A join that fails says whether this machine has joined") func failedJoin() throws {
    let file = fixture.home.appending(path: "file").path
    try Data("x".utf8).write(to: URL(filePath: file))
    let failed = try fixture.weir("account", "add", "folder", file)
    #expect(failed.code == 1)
    #expect(failed.errors.contains("is a file, not a folder. This machine has not joined it"))
    #expect(try fixture.weir("account", "list").lines.isEmpty)
    // The path is so long that the file `weir-folder.json` can be written, but not the files of the
    // device, whose names are longer.
    var path = fixture.home.appending(path: "shared").path
    let length = Int(PATH_MAX) - 32
    while length - path.utf8.count > 202 { path += "/" + String(repeating: "x", count: 200) }
    path += "/" + String(repeating: "x", count: length - path.utf8.count - 1)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let joined = try fixture.weir("account", "add", "folder", path)
    #expect(joined.code == 1)
    // The message shortens such a long path.
    #expect(joined.errors.hasPrefix("weir: Joined /"), "\(joined.errors)")
    #expect(joined.errors.contains(" 0 feeds there, 0 here, 0 the same. "), "\(joined.errors)")
    #expect(joined.errors.contains("can\u{2019}t be written. Check its permissions"))
    #expect(try fixture.weir("account", "list", "--json").output.contains("\"readOnly\""))
  }

  @Test("weir sync --push-only says what it wrote into the folder") func push() throws {
    let path = fixture.home.appending(path: "shared").path
    #expect(try fixture.weir("account", "add", "folder", path).code == 0)
    #expect(try fixture.weir("sync", "--push-only").output == "Nothing to send\n")
    try fixture.weir("add", "--unchecked", "http://127.0.0.1:1/feed")
    #expect(try fixture.weir("sync", "--push-only").output == "Wrote 2 changes into \(path)\n")
    #expect(try fixture.weir("sync", "--push-only").output == "Nothing to send\n")
    try FileManager.default.moveItem(atPath: path, toPath: path + "-away")
    try fixture.weir("add", "--unchecked", "http://127.0.0.1:1/other")
    let away = try fixture.weir("sync", "--push-only", "--quiet")
    #expect(away.code == 1 && away.output.isEmpty && away.errors.contains("is not there"))
    #expect(try fixture.weir("sync", "--push-only").output.isEmpty)
  }

  @Test(
    "The reader exchanges with the folder when it uses no network",
    .enabled(if: TmuxRobot.isAvailable))
  func offline() throws {
    let (laptop, desk) = (try CommandFixture(), try CommandFixture())
    let path = laptop.home.appending(path: "shared").path
    for machine in [laptop, desk] {
      #expect(try machine.weir("account", "add", "folder", path).code == 0)
    }
    let robot = try desk.reader("--offline").waitFor("Weir")
    try laptop.weir("add", "--unchecked", "http://127.0.0.1:1/laptop")
    #expect(try laptop.weir("sync", "--push-only").output.contains("Wrote 2 changes"))
    try robot.waitFor("laptop")
    // Changes made meanwhile are written at the end.
    try desk.weir("add", "--unchecked", "http://127.0.0.1:1/desk")
    try robot.waitFor("desk").type("Q").exit(0)
    #expect(try desk.weir("sync", "--push-only").output == "Nothing to send\n")
    try laptop.weir("sync", "--push-only")
    #expect(try laptop.weir("feeds").output.contains("/desk"))
  }

  @Test("A folder that is away is reported, and the changes wait") func away() throws {
    let path = fixture.home.appending(path: "shared").path
    #expect(try fixture.weir("account", "add", "folder", path).code == 0)
    try FileManager.default.moveItem(atPath: path, toPath: path + "-away")
    try fixture.weir("add", "--unchecked", "http://127.0.0.1:1/feed")
    let outcome = try fixture.weir("sync")
    #expect(outcome.code == 1 && outcome.errors.contains("is not there. Is it mounted?"))
    let list = try fixture.weir("account", "list").output
    #expect(list.contains("is not there"), "\(list)")
    try FileManager.default.moveItem(atPath: path + "-away", toPath: path)
    #expect(try !fixture.weir("sync").errors.contains("mounted"))
  }

  @Test(
    "Arguments that do not belong together are refused",
    arguments: [
      ["greader", "https://a.example/"], ["folder", "x", "--user", "me"],
      ["folder", "x", "--merge", "--take-theirs"],
      ["greader", "https://a.example/", "--user", "me", "--merge"],
    ])
  func arguments(arguments: [String]) throws {
    #expect(try fixture.start(["account", "add"] + arguments).outcome().code == 64)
  }
}
