import CNcurses
import TerminalKit
import Testing

@testable import NcursesTerminal

/// ncurses without a terminal; a process can open it only once. Its output goes to memory, and its
/// input comes from tests.
enum Curses {
  static let isOpen: Bool = {
    _ = weir_locale()
    return weir_describe("xterm-256color") == WEIR_DESCRIBED
      && weir_open("xterm-256color", weir_additions(direct_color: true, private_modes: true))
  }()
}

extension CursesTests {
  @Suite("Reading keys with ncurses") struct KeyReaderTests {
    private func reader() throws -> KeyReader {
      try #require(Curses.isOpen)
      return KeyReader(terminfoKeys: KeyDefinitions.terminfo)
    }

    private func read(_ text: String) throws -> [Key] {
      let reader = try reader()
      return reader.read(text.utf8, at: 0) + reader.timeOut(at: 0)
    }

    @Test(
      "Keys are read",
      arguments: [
        ("j", [.character("j")]), ("\r", [.enter]), ("\n", [.enter]), ("\t", [.tab]),
        ("\u{7F}\u{8}", [.backspace, .backspace]), ("\u{4}", [.control("d")]),
        ("\0", [.control("@")]), ("\u{1F}", [.control("_")]), ("\u{1A}", [.control("z")]),
        ("\u{1B}[A\u{1B}OB", [.up, .down]), ("\u{1B}[1;5C", [.right]), ("\u{1B}[5~", [.pageUp]),
        ("\u{1B}[15~\u{1B}OP\u{1B}[24;2~", [.function(5), .function(1), .function(12)]),
        ("\u{1B}[Z", [.backTab]), ("\u{1B}[I\u{1B}[O", [.focusIn, .focusOut]),
        ("\u{1B}", [.escape]), ("\u{1B}\u{1B}", [.escape, .escape]), ("\u{1B}x", [.alt("x")]),
        ("\u{1B}é", [.alt("é")]), ("\u{1B}[", [.alt("[")]), ("\u{1B}O", [.alt("O")]),
        ("\u{1B}\r", [.escape, .enter]), ("\u{1B}\u{7F}", [.alt("\u{7F}")]),
        ("\u{1B}\u{1B}[A", [.escape, .up]),
        ("e\u{301}漢👩‍👩‍👧", "e\u{301}漢👩‍👩‍👧".map { .character($0) }),
        ("\u{1B}[27;5;106~", [.enter]), ("\u{1B}[100;5u", [.control("d")]),
        ("\u{1B}[97;3u", [.alt("a")]), ("\u{1B}[32;5u", [.control("@")]),
        ("\u{1B}[3;5~\u{1B}[1;2A", [.delete, .up]),
        ("\u{1B}Oj\u{1B}Op\u{1B}OM", [.character("*"), .character("0"), .enter]),
        ("\u{1B}[200~a\u{1B}[Ab\u{1B}[201~", [.paste("a[Ab")]),
      ] as [(String, [Key])])
    func keys(text: String, keys: [Key]) throws {
      #expect(try read(text) == keys)
    }

    @Test(
      "An unknown sequence is dropped as a whole",
      arguments: [
        "\u{1B}[?1;2c", "\u{1B}[99~", "\u{1B}[1;2;3;4y", "\u{1B}]10;rgb:0/0/0\u{7}",
        "\u{1B}]52;c;aGk=\u{1B}\\", "\u{1B}P1$r0m\u{1B}\\", "\u{1B}_Gi=1;OK\u{1B}\\",
        "\u{1B}[[A", "\u{1B}Oz", "\u{1B}[>0;1u", "\u{1B}[<99999999999999999999;1;1M",
        "\u{1B}[<0;0;0M", "\u{1B}[<0;1M", "\u{1B}[<-1;1;1M", "\u{1B}[57441;1u", "\u{1B}[1",
        "\u{1B}[<0;65536;65536M", "\u{1B}[1114112u",
      ])
    func unknown(text: String) throws {
      #expect(try read(text) == [])
      #expect(try read("a" + text).first == .character("a"))
      #expect(try read("j") == [.character("j")])
    }

    @Test("Bytes may arrive one at a time") func slowly() throws {
      let text = "a漢\u{1B}[A\u{1B}[<0;3;4Mé\u{1B}[200~p\u{1B}[x\r\ny\u{1B}[201~\u{1B}OPz"
      let reader = try reader()
      let keys = text.utf8.flatMap { reader.read([$0], at: 0) }
      #expect(
        keys == [
          .character("a"), .character("漢"), .up, .mouse(MouseEvent(.press, x: 2, y: 3)),
          .character("é"), .paste("p[x\ny"), .function(1), .character("z"),
        ])
      #expect(reader.wait == nil)
    }

    @Test("A combining mark on its own is a key, and other invisible characters are not")
    func marks() throws {
      let reader = try reader()
      for text in [
        "ก", "\u{E35}", "ह", "\u{94D}", "ש", "\u{5B8}", "\u{20DD}", "\u{200C}", "\u{200D}",
        "\u{FE0F}",
      ] {
        #expect(reader.read(text.utf8, at: 0) == [.character(Character(text))])
      }
      for text in [
        "\u{202E}", "\u{2066}", "\u{200E}", "\u{200B}", "\u{AD}", "\u{34F}", "\u{E0001}",
      ] {
        #expect(reader.read(text.utf8, at: 0) == [], "\(text.unicodeScalars)")
      }
      #expect(reader.read("\u{1B}\u{E35}".utf8, at: 0) == [])
    }

    @Test("A report of another colour scheme is no key, and is passed on") func schemes() throws {
      let reader = try reader()
      var reports = 0
      reader.onSchemeChange = { reports += 1 }
      #expect(reader.read("a\u{1B}[?997;1nb\u{1B}[?997;2n".utf8, at: 0).count == 2)
      #expect(reports == 2)
      #expect(reader.read("\u{1B}[?997;3n\u{1B}[?997n\u{1B}[997;1n".utf8, at: 0) == [])
      #expect(reports == 2 && !reader.knowsBackground)
      #expect(
        reader.read("\u{1B}]11;rgb:f/f/f\u{1B}\\".utf8, at: 0) == [.background(isDark: false)])
      #expect(reader.knowsBackground)
    }

    @Test("Invalid UTF-8 does not lose a valid key") func invalid() throws {
      let reader = try reader()
      #expect(reader.read([0x80, 0x6A, 0xC3, 0x6B], at: 0) == [.character("j"), .character("k")])
      #expect(reader.read([0xE6, 0xBC], at: 0) == [])
      #expect(reader.read([0xA2, 0x6A], at: 0) == [.character("漢"), .character("j")])
    }

    @Test("Several mouse events in one read are all returned") func mouse() throws {
      let events = try read(
        "\u{1B}[<64;5;6M\u{1B}[<64;5;6M\u{1B}[<65;5;6M\u{1B}[<66;5;6M\u{1B}[<0;1;1M\u{1B}[<0;1;1m"
          + "\u{1B}[<2;1;1M\u{1B}[<35;1;1M\u{1B}[M !!\u{1B}[M`!!\u{1B}[<16;301;1M")
      #expect(
        events == [
          .mouse(MouseEvent(.wheelUp, x: 4, y: 5)), .mouse(MouseEvent(.wheelUp, x: 4, y: 5)),
          .mouse(MouseEvent(.wheelDown, x: 4, y: 5)), .mouse(MouseEvent(.press, x: 0, y: 0)),
          .mouse(MouseEvent(.release, x: 0, y: 0)), .mouse(MouseEvent(.doubleClick, x: 0, y: 0)),
          .mouse(MouseEvent(.wheelUp, x: 0, y: 0)), .mouse(MouseEvent(.press, x: 300, y: 0)),
        ])
    }

    @Test("No bytes crash the reader or affect the next key") func noise() throws {
      var random = SystemRandomNumberGenerator()
      let likely = Array("\u{1B}[O]P<;0123456789~MmABu\u{7}\\é漢".utf8)
      let reader = try reader()
      for _ in 0..<1000 {
        let bytes = (0..<Int.random(in: 0...40)).map { _ in
          Bool.random(using: &random)
            ? UInt8.random(in: 0...255, using: &random) : likely.randomElement() ?? 0
        }
        _ = reader.read(bytes, at: 0)
        _ = reader.timeOut(at: 0)
        #expect(reader.read("j".utf8, at: 0) == [.character("j")])
      }
    }
  }
}
