@testable import ArticleScreens
@testable import ReaderUI

@Suite("Copied addresses") struct AddressActionsTests {
  @Test("Invisible characters are percent-encoded, and the rest stays unchanged") func encoding() {
    let plain = "https://example.org/a%20b?q=ä#漢"
    #expect(AddressActions.encoded(plain) == plain)
    #expect(AddressActions.encoded("https://example.org/a b") == "https://example.org/a%20b")
    let hidden = [0x1B, 0x202E, 0xFFFF, 0x1FFFE, 0xFDD0].compactMap { Unicode.Scalar(UInt32($0)) }
    var address = "https://example.org/"
    address.unicodeScalars += hidden
    #expect(
      AddressActions.encoded(address)
        == "https://example.org/%1B%E2%80%AE%EF%BF%BF%F0%9F%BF%BE%EF%B7%90")
  }
}
