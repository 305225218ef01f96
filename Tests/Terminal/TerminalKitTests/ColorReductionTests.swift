@testable import TerminalKit

@Suite("Reduced colours") struct ColorReductionTests {
  @Test("A colour becomes the nearest that there is") func nearestColourIsUsed() {
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

  @Test("Each colour of the 256 is its own nearest") func eachColour256Own() {
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
