@Suite("Streams of HTML") struct HTMLStreamTests {
  /// Returns the tree that the parts make up.
  private func tree(_ html: String) -> (nodes: [HTMLNode], parts: Int, largestStep: Int) {
    var stream = HTMLStream(html)
    var levels = [HTMLElement(name: "")]
    var parts = 0
    var largestStep = 0
    func append(_ node: HTMLNode, to nodes: inout [HTMLNode]) {
      if case .text(let text) = node, case .text(let before)? = nodes.last {
        nodes[nodes.count - 1] = .text(before + text)
      } else {
        nodes.append(node)
      }
    }
    func readPart() {
      while let part = stream.popPart() {
        parts += 1
        switch part {
        case .node(let node): append(node, to: &levels[levels.count - 1].children)
        case .open(let element): levels.append(element)
        case .close:
          let element = levels.removeLast()
          append(.element(element), to: &levels[levels.count - 1].children)
        }
      }
    }
    while true {
      let position = stream.position
      let goesOn = stream.step()
      largestStep = max(largestStep, stream.position - position)
      readPart()
      if !goesOn { break }
    }
    return (levels[0].children, parts, largestStep)
  }

  @Test("The parts of a document make up the tree of the whole") func partsMakeTheTree() {
    for seed in 0..<20 {
      var random = SeededRandom(seed: UInt64(seed))
      let html = RandomHTML.make(&random, pieces: 4_000)
      let read = tree(html)
      #expect(read.nodes == HTMLContent.parse(html), "seed \(seed)")
    }
  }

  @Test(
    "A long document is read in parts, whatever it consists of",
    arguments: [
      String(repeating: "x ", count: 80_000), String(repeating: "é", count: 80_000),
      "<div><div>" + String(repeating: "<p>x</p>", count: 20_000),
      "<table>" + String(repeating: "<tr><td>x<td>y", count: 20_000),
      String(repeating: "<ul><li>", count: 20_000),
      "<pre>" + String(repeating: "x\n&amp;", count: 20_000),
    ])
  func longDocumentsComeInParts(html: String) {
    let read = tree(html)
    #expect(read.parts > 1)
    #expect(read.largestStep <= 20_000)
    #expect(read.nodes == HTMLContent.parse(html))
  }

  @Test("Places are named by ids and by named anchors") func namesOfPlaces() {
    let stream = HTMLStream("<p id=a&amp;b>x<a name=c>y</a><b name=d>z</b><i id=e></i></p>")
    #expect(stream.placeNames(inTags: 100) == ["a&b", "c", "e"])
    #expect(stream.placeNames(inTags: 2) == ["a&b", "c"])
  }
}
