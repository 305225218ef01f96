import Foundation
import Testing

@testable import ProgramSettings

@Suite("Changing one setting in the configuration file")
struct SettingLineTests {
  private func setting(_ path: String) throws -> Setting {
    try #require(Setting.all.first { $0.path == path })
  }

  private func change(_ path: String, to value: String?, in text: String) throws -> String {
    SettingLine(try setting(path), in: text).text(with: value)
  }

  @Test(
    "Only the line of the setting changes, and its comments stay",
    arguments: [
      (
        "[reader]\ntext-width = 72 # eyes\n\n[lists]\n",
        "[reader]\ntext-width = 80 # eyes\n\n[lists]\n"
      ),
      (
        "# top\n[reader]\n  text-width  =  72\nodd = 1\n",
        "# top\n[reader]\n  text-width  =  80\nodd = 1\n"
      ),
      (
        "[reader]\r\ntext-width = 72\t# a\r\nmark-after = 3\r\n",
        "[reader]\r\ntext-width = 80\t# a\r\nmark-after = 3\r\n"
      ),
      ("[reader]\ntext-width = [ # why\n 1,\n]\n", "[reader]\n# why\ntext-width = 80\n"),
      ("reader.text-width = 72", "reader.text-width = 80"),
      ("[expert]\nreader.text-width = 60\n", "[expert]\nreader.text-width = 80\n"),
      ("[\"reader\"]\n\"text-width\" = 72\n", "[\"reader\"]\n\"text-width\" = 80\n"),
    ])
  func replaced(text: String, new: String) throws {
    #expect(try change("reader.text-width", to: "80", in: text) == new)
  }

  @Test(
    "A new setting stands below its commented default, or in its table, or in a new one",
    arguments: [
      ("", "[reader]\ntext-width = 80\n"),
      ("[lists]\nrows = \"roomy\"", "[lists]\nrows = \"roomy\"\n\n[reader]\ntext-width = 80\n"),
      (
        "[reader]\n# Columns.\n#text-width = 72\n#links = \"numbers\"\n",
        "[reader]\n# Columns.\n#text-width = 72\ntext-width = 80\n#links = \"numbers\"\n"
      ),
      (
        "[lists]\n#text-width = 3\n[reader]\r\nlinks = \"quiet\"\r\n",
        "[lists]\n#text-width = 3\n[reader]\r\ntext-width = 80\r\nlinks = \"quiet\"\r\n"
      ),
      ("reader.links = \"quiet\"\n", "reader.text-width = 80\nreader.links = \"quiet\"\n"),
    ])
  func added(text: String, new: String) throws {
    #expect(try change("reader.text-width", to: "80", in: text) == new)
  }

  @Test(
    "The default removes the line and keeps its comments",
    arguments: [
      (
        "[reader]\ntext-width = 80 # eyes\nlinks = \"quiet\"\n",
        "[reader]\n# eyes\nlinks = \"quiet\"\n"
      ),
      ("[reader]\r\ntext-width = 80\r\n", "[reader]\r\n"), ("[reader]\n", "[reader]\n"),
    ])
  func removed(text: String, new: String) throws {
    #expect(try change("reader.text-width", to: nil, in: text) == new)
  }

  @Test("A setting for experts is written where the file has its table")
  func expert() throws {
    let path = "sync.per-host"
    #expect(try change(path, to: "4", in: "") == "[expert]\nsync.per-host = 4\n")
    #expect(try change(path, to: "4", in: "[sync]\n") == "[sync]\nper-host = 4\n")
    #expect(
      try change(path, to: "4", in: "[expert]\n#sync.per-host = 2\n")
        == "[expert]\n#sync.per-host = 2\nsync.per-host = 4\n")
  }

  @Test("Every setting can be changed in the printed defaults, and back")
  func everySetting() throws {
    for setting in Setting.all {
      let value = setting.choices.last.map { "\"\($0)\"" } ?? setting.example
      let literal = ["\"true\"", "\"false\""].contains(value) ? "false" : value
      let text = SettingLine(setting, in: Setting.defaultFile).text(with: literal)
      var file = ConfigurationFile()
      file.read(text)
      #expect(file.problems.isEmpty, "\(setting.path): \(file.problems)")
      #expect(file.configuration.typed.keys.sorted() == [setting.path])
      #expect(SettingLine(setting, in: text).text(with: nil) == Setting.defaultFile)
    }
  }

  @Test("A change is written, and what a file cannot hold is refused without a write")
  func files() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let path = folder.path() + "/new/config.toml"
    func content() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }
    _ = try ConfigurationFile.change("reader.text-width", to: "80", in: path)
    let file = try ConfigurationFile.change("open.browser", to: "w3m -o \"a b\"", in: path)
    #expect(file.configuration.browser == ["w3m", "-o", "a b"])
    #expect(file.configuration.typed["open.browser"] == "w3m -o \"a b\"")
    _ = try ConfigurationFile.change("reader.text-width", to: "default", in: path)
    #expect(try content() == "[reader]\n\n[open]\nbrowser = [\"w3m\", \"-o\", \"a b\"]\n")
    for (setting, text) in [
      ("reader.text-width", "3"), ("sync.automatic", "yes"), ("no.such", "1"),
    ] {
      #expect(throws: CommandFailure.self) {
        _ = try ConfigurationFile.change(setting, to: text, in: path)
      }
    }
    try "reader = { text-width = 60 }\nodd = [\n".write(
      toFile: path, atomically: true, encoding: .utf8)
    #expect(throws: CommandFailure.self) {
      _ = try ConfigurationFile.change("reader.text-width", to: "80", in: path)
    }
    #expect(try content() == "reader = { text-width = 60 }\nodd = [\n")
    #expect(throws: CommandFailure.self) {
      _ = try ConfigurationFile.change("reader.text-width", to: "80", in: path + "/config.toml")
    }
  }

  @Test("At most 30 settings are shown, and both places of the others are read")
  func places() {
    #expect(Setting.all.filter { !$0.isExpert }.count <= 30)
    for text in [
      "[expert]\nsync.per-host = 4", "[sync]\nper-host = 4", "[expert.sync]\nper-host = 4",
    ] {
      var file = ConfigurationFile()
      file.read(text)
      #expect(file.problems.isEmpty && file.configuration.perHost == 4)
    }
    var file = ConfigurationFile()
    file.read("[expert]\nsync.per-host = 99\nsync.odd = 1\n[expert.expert]\na = 1")
    #expect(file.problems.map(\.line) == [2, 3, 4])
    file = ConfigurationFile()
    file.read("[reader]\r\ntheme = pink\r\ntext-width = 80\r\nmark-after = x\r\n")
    #expect(file.problems.map(\.line) == [2, 4] && file.configuration.textWidth == 80)
  }
}
