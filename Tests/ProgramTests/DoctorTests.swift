import Testing

@testable import weir

@Suite("What the doctor says")
struct DoctorTests {
  @Test("How long a slow feed took is told in seconds where it took seconds")
  func slowness() {
    #expect(DoctorCommand.slowness(12.4) == "the last refresh took 12 s")
    #expect(DoctorCommand.slowness(300) == "the last refresh took 5 min")
  }
}
