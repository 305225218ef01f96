@testable import weir

@Suite("Reports of the doctor") struct DoctorTests {
  @Test("The duration of a slow refresh is in seconds or minutes") func slowness() {
    #expect(DoctorCommand.slowness(12.4) == "the last refresh took 12 s")
    #expect(DoctorCommand.slowness(300) == "the last refresh took 5 min")
  }
}
