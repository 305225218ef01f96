@Suite(
  "Other programs and the configuration while the reader runs", .enabled(if: TmuxRobot.isAvailable),
  .ownThreads)
final class OtherProgramTests: CommandSuite {
  @Test("A pager gets the terminal and the article, and the screen is restored afterwards")
  func pager() throws {
    let pager = try fixture.file(
      "pager",
      """
      printf 'PAGER OF %s\\n' "$WEIR_TITLE"
      head -n 1
      read answer < /dev/tty
      exit 4
      """)
    try fixture.file(
      ".config/weir/config.toml",
      "[programs]\npage = { command = [\"sh\", \"\(pager)\"], terminal = true }\n")
    let robot = try fixture.reader("--offline")
    try robot.waitFor("Welcome to Weir").keys("Enter").keys("Enter").waitFor("When you are ready")
      .type(":pipe").keys("Enter").waitFor("Other program").type("page").keys("Enter")
      .waitFor("PAGER OF Welcome to Weir").keys("Enter")
      .waitFor("sh ended with 4").waitFor("When you are ready")
      .type("q").type("Q").exit(0)
  }

  @Test("A background program that hangs blocks no key") func hanging() throws {
    let robot = try fixture.reader("--offline")
    try robot.waitFor("Welcome to Weir").keys("Enter").type(":pipe").keys("Enter").waitFor(
      "Other program"
    )
    .type("sleep 3").keys("Enter").keys("Enter").waitFor("When you are ready").type("Q").exit(0)
  }

  @Test("The configuration is reloaded when its file changes, and a mistake keeps the old one")
  func reload() throws {
    try fixture.file(".config/weir/config.toml", "[keys]\nquit = [\"Q\"]\n")
    let robot = try fixture.reader("--offline", columns: 130).waitFor("Welcome to Weir")
    try fixture.file(".config/weir/config.toml", "[keys]\nquit = [\"X\"]\n")
    try robot.waitFor("Configuration reloaded")
    try fixture.file(".config/weir/config.toml", "[keys]\n\nqiut = [\"Q\"]\n")
    try robot.waitFor("Configuration not reloaded; keys.qiut: there is no such command, line 3")
      .waitFor("did you mean quit?")
    try robot.keys("Escape").waitForAbsence(of: "did you mean").type("X").exit(0)
  }

  @Test("The starter set is undone at once, and order and theme survive a restart")
  func startersAndState() throws {
    let robot = try fixture.reader("--offline").waitFor("Add a starter set")
    try robot.type(":starter").keys("Enter").waitFor("All 12 feeds").keys("Enter")
      .waitFor("u undoes it").type("u").waitFor("Undo: remove").type("y").waitFor("Undone:")
      .waitFor("Add a starter set")
    #expect(
      try fixture.weir("feeds", "--json").objects().map { $0["url"] as? String } == ["weir:guide"])
    try robot.type(":sort").keys("Enter").waitFor("Sort by:").type("name").keys("Enter")
    try robot.type(":theme mono").keys("Enter").type("Q").exit(0)
    let path = fixture.home.appending(path: ".local/state/weir/state.json")
    let state = try JSONSerialization.jsonObject(with: Data(contentsOf: path)) as? [String: String]
    #expect(state?["feed-order"] == "name" && state?["theme"] == "mono")
    let again = try fixture.reader("--offline").waitFor("Add a starter set")
    try again.type("J").waitFor("sorted by name").type("Q").exit(0)
    #expect(!FileManager.default.fileExists(atPath: fixture.configuration.path))
  }
}
