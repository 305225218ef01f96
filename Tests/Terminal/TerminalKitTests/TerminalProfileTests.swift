import Testing

@testable import TerminalKit

@Suite("Profiles of terminals") struct TerminalProfileTests {
  private func profile(_ environment: [String: String], colors: Int = 256) -> TerminalProfile {
    TerminalProfile(environment: environment, description: .init(colors: colors))
  }

  @Test("Colours follow the description, COLORTERM and NO_COLOR")
  func coloursFollowSettings() {
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

  @Test("Links are sent to terminals that show or ignore them")
  func linksGoWhereThey() {
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

  @Test("Text is copied by OSC 52 unless that is known to fail")
  func copyingGoesWhereOSC() {
    #expect(profile(["TERM": "xterm-256color"]).supportsClipboard)
    #expect(!profile(["TERM": "xterm-256color", "VTE_VERSION": "7200"]).supportsClipboard)
    #expect(profile(["TERM": "tmux-256color", "VTE_VERSION": "7200"]).supportsClipboard)
  }
}

@Suite("Reduced colours") struct ColorReductionTests {
  @Test("A colour becomes the nearest that there is")
  func nearestColourIsUsed() {
    #expect(Color.rgb(255, 0, 0).reduced(to: .ansi16) == .palette(9))
    #expect(Color.rgb(255, 0, 0).reduced(to: .ansi256) == .palette(196))
    #expect(Color.rgb(128, 128, 128).reduced(to: .ansi256) == .palette(244))
    #expect(Color.rgb(1, 2, 3).reduced(to: .trueColor) == .rgb(1, 2, 3))
    #expect(Color.rgb(1, 2, 3).reduced(to: .mono) == .default)
    #expect(Color.palette(12).reduced(to: .ansi256) == .palette(12))
    #expect(Color.palette(196).reduced(to: .ansi16) == .palette(9))
    #expect(Color.palette(255).reduced(to: .ansi16) == .palette(7))
    #expect(Color.default.reduced(to: .ansi16) == .default)
    #expect(Color.palette(12).reducedToEight() == (.palette(4), true))
    #expect(Color.palette(8).reducedToEight() == (.default, false))
  }

  @Test("Each colour of the 256 is its own nearest")
  func eachColour256Own() {
    for red in [0, 95, 135, 175, 215, 255] as [UInt8] {
      for blue in [0, 95, 135, 175, 215, 255] as [UInt8] {
        let color = Color.rgb(red, 95, blue)
        guard case .palette(let index) = color.reduced(to: .ansi256) else {
          Issue.record("no palette colour")
          continue
        }
        #expect(index >= 16)
        #expect(Color.palette(index).reduced(to: .ansi256) == color.reduced(to: .ansi256))
      }
    }
  }
}
