@testable import ReaderUI

@Suite("Styled screens") struct StyledScreenTests {
  nonisolated static let looks = GoldenScreenTests.sizes.flatMap { width, height in
    [ColorDepth.ansi256, .mono].map { (width, height, $0) }
  }

  @Test("Every screen looks as recorded with its styles, in colour and without", arguments: looks)
  func screensLookAsRecorded(width: Int, height: Int, colors: ColorDepth) async throws {
    func check(_ screen: String, _ robot: Robot) throws {
      let look = colors == .mono ? "mono" : "colour"
      try Golden.check("styled-\(screen)-\(look)-\(width)x\(height)", robot.terminal.styled)
    }
    let robot = await Robot(try await .searchable(), width: width, height: height, colors: colors)
    try check("feeds", robot)
    try check("articles", await robot.press("Enter"))
    try check("reader", await robot.press("Enter"))
    try check("finding", await robot.press("/").type("validator").press("Enter", "n"))
    try check("help", await robot.press("Esc", "?"))
    try check("palette", await robot.press("Esc", ":").type("mark"))
    try check("search", await robot.press("Esc", "g /").type("the checkpoint").press("Tab"))
    try check("add", await robot.press("Esc", "a").type("blog.example"))

    let busy = await Robot(try await .busy(), width: width, height: height, colors: colors)
    try check("edit", await busy.press("/").type("LWN").press("Enter", "e"))
    try check("console", await busy.press("Esc", "Esc", "S"))
    try check("problems", await busy.press("!"))
  }
}
