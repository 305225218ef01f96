import Foundation
import Testing

@testable import ReaderServices
@testable import ReaderUI

/// Limits of what a user has to know, which only fall. Settings: at most 30 in `config default`.
@Suite("The budget of the interface") struct InterfaceBudget {
  @Test("There are at most 60 keys and 75 commands")
  func keysAndCommands() {
    let keys = Set(Command.allCases.flatMap(\.keys))
    #expect(keys.count <= 60, "\(keys.sorted())")
    #expect(Command.allCases.count <= 75)
  }

  @Test("There are at most 14 screens with commands or fields of their own")
  func screens() throws {
    let reader = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources/Reader")
    let files = try #require(FileManager.default.enumerator(atPath: reader.path))
    var screens: [String] = []
    for case let file as String in files where file.hasSuffix(".swift") {
      let text = try String(contentsOf: reader.appendingPathComponent(file), encoding: .utf8)
      screens += text.matches(of: /class (\w+): (?:\w*Sheet|Screen)\b/).map { String($0.output.1) }
    }
    // A picture in the whole window and the list of keys have neither.
    screens.removeAll { $0 == "PictureScreen" || $0 == "HelpScreen" }
    #expect(screens.count <= 14, "\(screens.sorted())")
  }

  @Test("A key has at most two meanings")
  func meanings() {
    for key in Set(Command.allCases.flatMap(\.keys)) {
      let commands = Command.allCases.filter { $0.keys.contains(key) }
      #expect(commands.count <= 2, "\(key): \(commands.map(\.name))")
    }
  }

  @Test("Every former name and every everyday word leads to a command")
  func words() {
    #expect(Command.words.count == Set(Command.former.keys).union(Command.synonyms.keys).count)
    for name in Command.former.keys { #expect(Command(named: name) == nil, "\(name)") }
  }
}
