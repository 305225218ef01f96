// Shows a list on the whole terminal: arrows, `j` and `k` move, `q` quits.

import Foundation
import NcursesTerminal
import TerminalKit
import TerminalViews

struct Planet: Identifiable {
  let id: String
  let moons: Int
}

var planets = RowList([
  Planet(id: "Mercury", moons: 0), Planet(id: "Venus", moons: 0), Planet(id: "Earth", moons: 1),
  Planet(id: "Mars", moons: 2), Planet(id: "Jupiter", moons: 97), Planet(id: "Saturn", moons: 274),
  Planet(id: "Uranus", moons: 28), Planet(id: "Neptune", moons: 16),
])
var terminal: NcursesTerminal?

func readKeys() {
  for key in terminal?.readKeys() ?? [] {
    switch key {
    case .character("q"): quit()
    case .character("j"), .down: planets.move(.rows(1))
    case .character("k"), .up: planets.move(.rows(-1))
    default: break
    }
  }
  // Also draws after `.resize`. The terminal writes only the cells that changed.
  draw()
}

func draw() {
  guard let terminal else { return }
  let canvas = Canvas(size: terminal.size, theme: .terminal)
  canvas.write("Planets", x: 1, y: 0, .title)
  canvas.rule(y: 1)
  planets.window = Rect(x: 0, y: 2, width: canvas.width, height: max(1, canvas.height - 2))
  let body = canvas.part(planets.window)
  planets.draw(on: body) { planet, y in
    body.write(planet.id, x: 2, y: y)
    body.write("\(planet.moons)", x: 12, y: y, columns: 4, align: .right, .secondary)
  }
  terminal.present(canvas.surface)
}

func quit() {
  terminal?.close()
  exit(0)
}

do {
  terminal = try NcursesTerminal(
    environment: ProcessInfo.processInfo.environment, onInput: readKeys, onHangUp: { _ in quit() })
} catch {
  print("ShowList needs a terminal: \(error)")
  exit(1)
}
draw()
RunLoop.main.run()
