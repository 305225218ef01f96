import ReaderUI
import TerminalKit

@testable import ReaderServices
@testable import weir

@Suite("Pictures inside tmux") struct TmuxPictureTests {
  @Test(
    "Pictures go through tmux if it forwards them to a capable terminal, or else are blocks",
    arguments: [
      // The output of tmux 3.3 and 3.4; older ones lack the option and pass everything on.
      (PictureDisplay.kitty, "0|xterm-kitty\n", PictureChoice.blocks),
      (.kitty, "off|xterm-kitty\n", .blocks), (.kitty, "1|xterm-256color\n", .use(.kitty)),
      (.kitty, "|xterm-kitty\n", .use(.kitty)), (.kitty, "all|\n", .use(.kitty)),
      (.auto, "1|xterm-kitty\n", .use(.kitty)), (.auto, "on|xterm-ghostty\n", .use(.kitty)),
      (.auto, "0|xterm-kitty\n", .ask), (.auto, "1|xterm-256color\n", .ask),
      (.sixel, "0|xterm-kitty\n", .use(.sixel)),
    ])
  func choice(images: PictureDisplay, answer: String, choice: PictureChoice) {
    #expect(images.choice(within: TmuxPictures(answer)) == choice)
  }

  @Test("Outside tmux, or if tmux does not answer, the setting decides") func unknown() async {
    #expect(await TmuxPictures.ask([:]) == nil)
    #expect(PictureDisplay.kitty.choice(within: nil) == .use(.kitty))
    #expect(PictureDisplay.auto.choice(within: nil) == .ask)
  }
}
