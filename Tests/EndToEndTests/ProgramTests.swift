import Foundation
import TestSupport
import Testing

@Suite(
  "Other programs and the configuration while the reader runs", .enabled(if: TmuxRobot.isAvailable))
struct OtherProgramTests {
  @Test("A pager is given the terminal and the article; afterwards the screen is whole again")
  func pager() throws {
    let person = try Person()
    let pager = try person.file(
      "pager",
      """
      printf 'PAGER OF %s\\n' "$WEIR_TITLE"
      head -n 1
      read answer < /dev/tty
      exit 4
      """)
    try person.file(
      ".config/weir/config.toml",
      "[programs]\npage = { command = [\"sh\", \"\(pager)\"], terminal = true }\n")
    let robot = try person.reader("--offline")
    try robot.waitFor("Welcome to Weir").keys("Enter").keys("Enter").waitFor("Three ways to begin")
      .type("|").waitFor(":pipe").type("page").keys("Enter")
      .waitFor("PAGER OF Welcome to Weir").keys("Enter")
      .waitFor("sh ended with 4").waitFor("Three ways to begin")
      .type("q").type("Q").exit(0)
  }

  @Test("A background program that hangs blocks no key")
  func hanging() throws {
    let person = try Person()
    let robot = try person.reader("--offline")
    try robot.waitFor("Welcome to Weir").keys("Enter").type("|").waitFor(":pipe")
      .type("sleep 3").keys("Enter").keys("Enter").waitFor("Three ways to begin").type("Q").exit(0)
  }

  @Test(
    "The configuration is read again when its file changes; a mistake leaves the old one in force")
  func reload() throws {
    let person = try Person()
    try person.file(".config/weir/config.toml", "[keys]\nquit = [\"Q\"]\n")
    let robot = try person.reader("--offline", columns: 130).waitFor("Welcome to Weir")
    try person.file(".config/weir/config.toml", "[keys]\nquit = [\"X\"]\n")
    try robot.waitFor("The configuration was read again")
    try person.file(".config/weir/config.toml", "[keys]\n\nqiut = [\"Q\"]\n")
    try robot.waitFor("Configuration kept; line 3: keys.qiut: there is no such command").waitFor(
      "did you mean quit?")
    try robot.keys("Escape").waitForAbsence(of: "did you mean").type("X").exit(0)
  }
}
