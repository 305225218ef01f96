/// The Makefile and the archive's installer, as users of the source or the archive run them.
@Suite("Building and installing", .ownThreads) struct InstallTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  @Test(
    "A target whose tool is missing names the tool and does nothing",
    arguments: [
      ("deps SWIFT=none", "No Swift toolchain"), ("lint SWIFT=none", "swift-format"),
      ("docs PATH=/nonexistent", "needs docc"),
    ])
  func missingTools(target: String, message: String) throws {
    let outcome = try CommandFixture().shell("make -C '\(Self.root.path)' \(target)")
    #expect(outcome.code != 0)
    #expect(outcome.errors.contains(message), "\(outcome)")
    #expect(!outcome.output.contains("Installing"))
  }

  @Test(
    "mandoc reports only matters of style in the manual page",
    .enabled(if: (try? Shell.run("command -v mandoc >/dev/null")) == 0))
  func manualPage() throws {
    let page = Self.root.appending(path: "Resources/weir.1").path
    #expect(try Shell.run("test -z \"$(mandoc -T lint '\(page)' | grep -v STYLE)\"") == 0)
  }

  @Test("The installed unit file starts the program that was installed with it")
  func unitFile() throws {
    let fixture = try CommandFixture()
    let archive = fixture.home.appending(path: "archive").path
    let packaging = Self.root.appending(path: "Resources/packaging").path
    let outcome = try fixture.shell(
      """
      mkdir -p '\(archive)/bin' '\(archive)/share/systemd/user' && cd '\(archive)' &&
      touch bin/weir && cp '\(packaging)/install.sh' . &&
      cp '\(packaging)/weir-sync.service' share/systemd/user/ && sh install.sh ../opt
      """)
    #expect(outcome.code == 0, "\(outcome)")
    let prefix = fixture.home.appending(path: "opt")
    let unit = prefix.appending(path: "share/systemd/user/weir-sync.service")
    #expect(
      try String(contentsOf: unit, encoding: .utf8)
        .contains("ExecStart=\(prefix.path)/bin/weir sync --quiet"))
  }
}
