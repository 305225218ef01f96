import FeedParsing

@testable import Importers
@testable import ProgramSettings
@testable import ReaderServices
@testable import TerminalViews
@testable import weir

@Suite("Translation of newsboat's configuration") struct NewsboatTranslationTests {
  private func translate(_ text: String) throws -> ConfigurationProposal {
    NewsboatTranslation(
      try NewsboatConfig.parse(Array(text.utf8)), commands: LibraryImport.commands
    ).proposal
  }

  @Test("Server settings are answered with the command that signs in to the server")
  func servers() throws {
    let proposal = try translate(
      "miniflux-url https://m.example\nfreshrss-login me\nttrss-flag-star s\nocnews-login x\nfoo-a b"
    )
    #expect(
      proposal.refused.map(\.result) == [
        "\u{201C}weir account add greader ADDRESS --user NAME\u{201D} signs in to the server",
        "\u{201C}weir account add greader ADDRESS --user NAME\u{201D} signs in to the server",
        "\u{201C}weir account add fever ADDRESS --user NAME\u{201D} signs in to the server",
        "Weir does not support this server", "no equivalent",
      ])
  }

  @Test(
    "A newsboat statement becomes a Weir setting",
    arguments: [
      ("browser firefox", "[open]\nbrowser = [\"firefox\"]\n"),
      ("browser \"w3m %u\"", "[open]\nbrowser = [\"w3m\", \"%s\"]\n"),
      (
        "browser \"mpv '%u' > /dev/null &\"",
        "[open]\nbrowser = [\"sh\", \"-c\", \"mpv \\\"$0\\\" > /dev/null &\", \"%s\"]\n"
      ),
      (
        "browser \"mpv --url=%u\"",
        "[open]\nbrowser = [\"sh\", \"-c\", \"mpv --url=\\\"$0\\\"\", \"%s\"]\n"
      ),
      (
        "browser \"echo 'a %u' %T\"",
        "[open]\nbrowser = [\"sh\", \"-c\", "
          + "\"echo 'a '\\\"$0\\\"'' \\\"$WEIR_TITLE\\\"\", \"%s\"]\n"
      ),
      (
        "browser \"bash -c 'echo %u >> ~/list'\"",
        "[open]\nbrowser = [\"bash\", \"-c\", \"echo \\\"$0\\\" >> ~/list\", \"%s\"]\n"
      ),
      ("player mpv", "[open]\nplayer = [\"mpv\"]\n"),
      ("download-path ~/Podcasts/", "[open]\ndownloads = \"~/Podcasts/\"\n"),
      (
        "external-url-viewer urlscan",
        "[programs]\nurls = { command = [\"urlscan\"], terminal = true }\n"
      ),
      ("auto-reload no", "[sync]\nautomatic = false\n"),
      ("max-items 200", "[keep]\narticles = 200\n"),
      ("keep-articles-days 30", "[keep]\ndays = 30\n"),
      ("mark-as-read-on-hover yes", "[reader]\nmark-passed = true\n"),
      ("article-sort-order date-asc", "[lists]\norder = \"newest\"\n"),
      ("article-sort-order date-desc", "[lists]\norder = \"oldest\"\n"),
      (
        "use-proxy yes\nproxy localhost:9050\nproxy-type socks5h",
        "[sync]\nproxy = \"socks5h://localhost:9050\"\n"
      ),
      ("bind-key j down", "[bindings]\nj = [\"move-down\"]\n"),
      ("bind-key J next articlelist", "[bindings.articles]\n\"J\" = [\"move-down\"]\n"),
      ("bind-key J next article", "[bindings.reader]\n\"J\" = [\"next-article\"]\n"),
      ("bind-key ^D pagedown", "[bindings]\nctrl-d = [\"page-down\"]\n"),
      ("bind-key SPACE open", "[bindings]\nspace = [\"open\"]\n"),
      (
        "bind gg feedlist,articlelist home",
        "[bindings.articles]\n\"g g\" = [\"top\"]\n\n[bindings.feeds]\n\"g g\" = [\"top\"]\n"
      ),
      ("unbind-key C", "[bindings]\n\"C\" = []\n"),
      ("max-downloads 3", "[downloads]\nparallel = 3\n"),
      (
        "bind-key J next-feed articlelist",
        "[bindings.articles]\n\"J\" = [\"go-out\", \"move-down\", \"open\"]\n"
      ),
      (
        "macro o open-in-browser\nbind-key SPACE macro-prefix",
        "[bindings]\n\"space o\" = [\"open-in-browser\"]\n"
      ),
      (
        "macro m set browser \"mpv %u\" ; open-in-browser ; set browser firefox",
        "[bindings]\n\", m\" = [\"send program mpv %s\"]\n"
      ),
      (
        "macro d open-in-browser-and-mark-read; next-unread -- \"read and go on\"",
        "[bindings]\n\", d\" = [\"open-in-browser\", \"next-unread\"]\n"
      ),
      (
        "macro w set browser \"echo %u | xclip\"; open-in-browser",
        "[bindings]\n\", w\" = [\"send program macro-w\"]\n\n"
          + "[programs]\nmacro-w = [\"sh\", \"-c\", \"echo \\\"$0\\\" | xclip\", \"%s\"]\n"
      ),
      (
        "color listfocus black yellow bold\ncolor listnormal_unread color81 default",
        "[reader]\ntheme = \"newsboat\"\n\n"
          + "[themes.newsboat]\nbase = \"terminal\"\nselection = \"bold 0 on 3\"\nunread = \"81\"\n"
      ),
    ])
  func becomesASetting(text: String, toml: String) throws {
    let proposal = try translate(text)
    #expect(proposal.text == toml)
    #expect(!proposal.accepted.isEmpty || !proposal.renamed.isEmpty)
    var file = ConfigurationFile()
    file.read(proposal.text)
    #expect(file.problems.map(\.described) == [])
  }

  @Test(
    "A statement without a counterpart is reported with an alternative",
    arguments: [
      ("bind-key ^X mark-all-feeds-read", "A in the list of unread articles marks all of them"),
      ("macro x set show-read-feeds no", "a macro cannot set show-read-feeds"),
      ("reload-time 30", "interval"), ("cleanup-on-quit yes", "no equivalent"),
      ("color nowhere red blue", "no such part"), ("text-width 5", "between 20 and 1000"),
      ("bind-key ÄÖ open", "unknown key \u{201C}ÄÖ\u{201D}"),
      ("urls-source miniflux", "weir account add"),
    ])
  func isNamed(text: String, result: String) throws {
    let proposal = try translate(text)
    #expect(proposal.isEmpty)
    #expect(proposal.refused.count == 1)
    #expect(proposal.refused.first?.result.contains(result) == true)
    #expect(proposal.refused.first?.line == text)
  }

  @Test("Commands that lose their only keys are reported") func lostKeys() throws {
    let lost = try translate("bind-key u pageup\nbind-key r reload\nbind-key j up").lost
    #expect(lost == [.init(line: "undo", result: "had the keys u")])
    #expect(try translate("bind-key u pageup\nbind-key U help").report.contains("  undo"))
  }

  @Test("The report lists the rules that a line becomes, or the reason why it becomes none")
  func rules() throws {
    let proposal = try translate(
      """
      ignore-article "*" "title =~ \\"sponsored\\""
      ignore-article "https://a.example/feed" "title =~ \\"(a|b)\\""
      highlight-article "unread = \\"yes\\"" red default bold
      ignore-article "*" "total_count > 5"
      ignore-article "*"
      highlight articlelist "kernel|rust" red default
      highlight feedlist "x" red default
      """)
    #expect(
      proposal.rules.map(\.result) == [
        "a rule: title:/sponsored/", "a rule: feed:\"https://a.example/feed\" title:/(a|b)/",
        "a rule: is:unread", "a rule: title:/kernel|rust/",
      ])
    #expect(
      proposal.refused.map(\.result) == [
        "total_count > has no counterpart", "it is incomplete",
        "feeds have the colours of the theme",
      ])
    #expect(proposal.report.joined(separator: "\n").contains("a rule: title:/sponsored/"))
  }

  @Test("The proposal is a separate file, and no file is overwritten")
  func isWrittenBeside() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let proposal = try translate("browser firefox")
    let configuration = folder + "/weir/config.toml"
    let first = try proposal.write(beside: configuration, from: "newsboat")
    let second = try proposal.write(beside: configuration, from: "newsboat")
    #expect(first == folder + "/weir/from-newsboat.toml")
    #expect(second == folder + "/weir/from-newsboat-2.toml")
    #expect(!FileManager.default.fileExists(atPath: configuration))
    let text = try String(contentsOfFile: first, encoding: .utf8)
    #expect(text.hasSuffix("[open]\nbrowser = [\"firefox\"]\n"))
    #expect(text.hasPrefix("# What newsboat"))
  }

  @Test("The reader has every place and theme role that a proposal can name") func names() {
    for place in BindingContext.allCases {
      #expect(CommandContext(rawValue: place.rawValue) != nil)
    }
    for role in ThemeRole.allCases { #expect(Role(rawValue: role.rawValue) != nil) }
  }

  @Test("A file that includes itself, directly or through another, is read once")
  func circularInclude() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let config = folder.appending(path: "config").path
    try "browser firefox\ninclude config\ninclude other\n".write(
      toFile: config, atomically: true, encoding: .utf8)
    try "include \"config\"\nauto-reload yes\n".write(
      to: folder.appending(path: "other"), atomically: true, encoding: .utf8)
    let library = NewsboatLibrary(
      folder.path, home: nil, mayBeOwn: false, read: LibraryImport.read)
    let proposal = try #require(try library?.settings(commands: LibraryImport.commands)).proposal
    let lines = (proposal.accepted + proposal.renamed).map(\.line)
    #expect(lines.filter { $0 == "browser firefox" }.count == 1)
    #expect(lines.filter { $0 == "auto-reload yes" }.count == 1)
  }

  @Test(
    "Translating a configuration takes linear time",
    arguments: [
      "bind g# all quit", "macro # open ; quit", "unbind-key #", "bind-key # open",
      "ignore-article * \"title =~ \\\"w#\\\"\"", "color # red default", "nosuch# 5",
    ])
  func growth(line: String) throws {
    let growth = ThreadTime.growth { count in
      (0..<count).map { line.replacing("#", with: String($0)) + "\n" }.joined()
    } _: {
      _ = try? translate($0).text
    }
    #expect(growth < ThreadTime.linear)
  }
}
