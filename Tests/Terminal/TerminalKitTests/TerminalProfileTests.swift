@testable import TerminalKit

@Suite("Profiles of terminals") struct TerminalProfileTests {
  private func profile(_ environment: [String: String], colors: Int = 256) -> TerminalProfile {
    TerminalProfile(environment: environment, description: .init(colors: colors))
  }

  @Test("Colours follow the description, COLORTERM and NO_COLOR") func coloursFollowSettings() {
    #expect(profile(["TERM": "xterm-256color"]).colorDepth == .ansi256)
    #expect(profile(["TERM": "xterm-256color", "COLORTERM": "truecolor"]).colorDepth == .trueColor)
    #expect(profile(["TERM": "xterm", "COLORTERM": "truecolor"], colors: 8).colorDepth == .ansi16)
    #expect(profile(["TERM": "vt100"], colors: 0).colorDepth == .mono)
    #expect(profile(["TERM": "xterm-256color", "NO_COLOR": "1"]).colorDepth == .mono)
    #expect(profile(["TERM": "xterm-256color", "NO_COLOR": ""]).colorDepth == .ansi256)
    #expect(profile(["TERM": "xterm-direct"], colors: 1 << 24).colorDepth == .trueColor)
  }

  @Test("Nothing beyond terminfo is sent to a terminal that is not known to take it")
  func unknownGetsTerminfoOnly() {
    for type in ["vt100", "linux", "ansi", "sun", "vt220"] {
      let profile = profile(["TERM": type])
      #expect(!profile.supportsPrivateModes && !profile.supportsTitle)
      #expect(!profile.supportsLinks && !profile.supportsClipboard)
    }
  }

  @Test("Links are sent to terminals that show or ignore them") func linksGoWhereThey() {
    for type in ["xterm-kitty", "xterm-256color", "foot", "alacritty", "tmux-256color"] {
      #expect(profile(["TERM": type]).supportsLinks, "\(type)")
    }
    #expect(profile(["TERM": "xterm-256color", "VTE_VERSION": "7200"]).supportsLinks)
    #expect(!profile(["TERM": "xterm-256color", "VTE_VERSION": "4600"]).supportsLinks)
    #expect(!profile(["TERM": "xterm-256color", "KONSOLE_VERSION": "180400"]).supportsLinks)
    #expect(profile(["TERM": "vt220", "FORCE_HYPERLINK": "1"]).supportsLinks)
    #expect(!profile(["TERM": "xterm-kitty", "FORCE_HYPERLINK": "0"]).supportsLinks)
    let tmux = ["TERM": "tmux-256color", "TERM_PROGRAM": "tmux", "VTE_VERSION": "7200"]
    #expect(profile(tmux.merging(["VTE_VERSION": "4600"]) { $1 }).supportsLinks)
    #expect(profile(["TERM": "screen-256color", "TMUX": "/tmp/tmux-0/default,1,0"]).supportsLinks)
    #expect(!profile(["TERM": "screen", "TERM_PROGRAM": "iTerm.app"]).supportsLinks)
  }

  @Test("Text is copied by OSC 52 unless that is known to fail") func copyingGoesWhereOSC() {
    #expect(profile(["TERM": "xterm-256color"]).supportsClipboard)
    #expect(!profile(["TERM": "xterm-256color", "VTE_VERSION": "7200"]).supportsClipboard)
    #expect(profile(["TERM": "tmux-256color", "VTE_VERSION": "7200"]).supportsClipboard)
  }
}
