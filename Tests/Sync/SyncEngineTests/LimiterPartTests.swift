@testable import NetworkMeasurement

@Suite("The ledger of received bytes") struct LimiterPartTests {
  /// A ledger with marks at these times, each 100 bytes after the previous one.
  private func ledger(_ marks: Double...) -> ByteLedger {
    var ledger = ByteLedger()
    for mark in marks {
      ledger.add(100, at: mark)
      ledger.mark(at: mark)
    }
    return ledger
  }

  @Test("The goodput is measured between the first and the last mark of a window") func goodput() {
    #expect(ByteLedger().goodput(over: 1) == 0)
    #expect(ledger(5).goodput(over: 1) == 0)
    let ledger = ledger(0, 1, 2, 4)
    #expect(ledger.total == 400 && ledger.heardAt == 4)
    #expect(ledger.goodput(over: 1) == 50)
    #expect(ledger.goodput(over: 2) == 50)
    #expect(ledger.goodput(over: 2.5) == 200.0 / 3)
    #expect(ledger.goodput(over: 3) == 200.0 / 3)
    #expect(ledger.goodput(over: 100) == 75)
    // Marks at one time count as 50 ms apart.
    #expect(self.ledger(1, 1).goodput(over: 1) == 2_000)
  }

  @Test("Marks expire after twelve seconds, except the newest") func expiredMarks() {
    #expect(ledger(0, 5, 20).goodput(over: 100) == 100.0 / 15)
    #expect(ledger(0, 8, 20).goodput(over: 100) == 100.0 / 12)
    #expect(ledger(0, 8.5, 20).goodput(over: 100) == 200.0 / 20)
    #expect(ledger(0, 5, 7, 30).goodput(over: 100) == 100.0 / 23)
    #expect(ledger(0, 50).goodput(over: 100) == 2)
  }

  @Test("The goodput of many marks is that of the last twelve seconds") func manyMarks() {
    var ledger = ByteLedger()
    for step in 0..<2_000 {
      ledger.add(step, at: Double(step))
      ledger.mark(at: Double(step))
      let expected = (max(0, step - 12)..<step).reduce(0.0) { $0 + Double($1 + 1) }
      let seconds = max(0.05, Double(min(step, 12)))
      #expect(ledger.goodput(over: 100) == expected / seconds)
    }
  }

  @Test("Bytes and excuses move the last sign of life only forward") func silence() {
    var ledger = ByteLedger()
    ledger.add(5, at: 3)
    ledger.add(5, at: 2)
    #expect(ledger.heardAt == 3 && ledger.total == 10)
    ledger.excuseSilence(until: 1)
    #expect(ledger.heardAt == 3)
    ledger.excuseSilence(until: 7)
    #expect(ledger.heardAt == 7 && ledger.total == 10)
  }
}
