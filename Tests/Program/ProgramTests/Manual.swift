import ArgumentParser

@testable import ReaderServices
@testable import ReaderUI
@testable import TerminalViews
@testable import weir

/// The manual page, made from the definitions of the commands and the keymap. Roff with the man
/// macros, which groff and mandoc both read.
struct Manual {
  private struct Tool: Decodable { var command: Entry }

  private struct Entry: Decodable {
    var commandName: String
    var abstract: String?
    var discussion: String?
    var arguments: [Argument]?
    var subcommands: [Entry]?
  }

  private struct Argument: Decodable {
    struct Name: Decodable {
      var kind: String
      var name: String
      var text: String { (kind == "long" ? "--" : "-") + name }
    }
    var kind: String
    var names: [Name]?
    var valueName: String?
    var abstract: String?
    var sectionTitle: String?
    var isOptional: Bool
    var isRepeating: Bool
    var shouldDisplay: Bool

    /// True if every command takes the argument, which is then described once.
    var isGlobal: Bool {
      sectionTitle == "Global options"
        || names?.contains { ["help", "version"].contains($0.name) } == true
    }
  }

  private(set) var text = ""

  init() throws {
    let tool = try JSONDecoder().decode(Tool.self, from: Data(RootCommand._dumpHelp().utf8))
    let root = tool.command
    text = ".TH WEIR 1 \"\(Program.date)\" \"Weir \(Program.version)\" \"User Commands\"\n"
    heading("NAME")
    line("weir \\- a feed reader for the terminal")
    heading("SYNOPSIS")
    line(".B weir\n[\\-\\-offline]\n.br\n.B weir\n\\fIcommand\\fR [\\fIargument\\fR ...]")
    heading("DESCRIPTION")
    paragraph(root.discussion ?? "")
    paragraph(
      "The reader, weir sync from cron and scripts may run at the same time on one database.")
    heading("OPTIONS")
    for argument in root.arguments ?? [] { item(argument) }
    heading("EXAMPLES")
    for (meaning, commands) in Self.examples { example(meaning, commands) }
    heading("COMMANDS")
    for command in root.subcommands ?? [] { add(command, path: "weir") }
    heading("KEYS")
    paragraph(
      """
      The default keys. A count precedes a key (5j). A key may have different meanings in different panes; \
      ? lists the keys of the focused pane.
      """)
    for chapter in Command.Chapter.allCases { add(chapter) }
    heading("FILES")
    for (path, meaning) in Self.files { item(".I \(Self.escaped(path))", meaning) }
    heading("ENVIRONMENT")
    for (name, meaning) in Self.environment { item(".B \(name)", meaning) }
    heading("EXIT STATUS")
    for (code, meaning) in Self.codes { item(".B \(code)", meaning) }
  }

  /// Examples, which the end-to-end tests run in their order.
  private static let examples = [
    (
      "Subscribe to a site, import a list, and fetch their articles:",
      "weir add https://example.org/\nweir import feeds.opml\nweir sync"
    ),
    ("Open the reader, and open it without using the network:", "weir\nweir --offline"),
    (
      "List articles, search them, and mark old ones as read:",
      "weir articles --unread --limit 20\nweir search 'title:first before:7d'\n"
        + "weir mark read --feed Daily --older-than 30d"
    ),
    (
      "Back up your subscriptions and the database:",
      "weir export ~/weir-feeds.opml\nweir backup ~/weir-backup.db"
    ),
    ("Fetch articles regularly, with a line of a crontab:", "*/30 * * * *  weir sync --quiet"),
  ]
  private static let files = [
    ("$XDG_CONFIG_HOME/weir/config.toml", "The configuration. The default folder is ~/.config."),
    (
      "$XDG_DATA_HOME/weir/weir.db",
      "Subscriptions, articles and their state. The default folder is ~/.local/share."
    ),
    (
      "$XDG_DATA_HOME/weir/passwords.json",
      "Passwords of accounts, unless a keyring stores them or a program supplies them."
    ),
    (
      "$XDG_STATE_HOME/weir/weir.log",
      "The log, which is off by default. The default folder is ~/.local/state."
    ),
    (
      "$XDG_STATE_HOME/weir/state.json",
      "Choices made in the reader (theme, order of the feeds); the configuration takes precedence."
    ),
  ]
  private static let environment = [
    ("BROWSER", "The program that opens web pages if the configuration does not name one."),
    ("NO_COLOR", "Any value disables colours."),
    (
      "COLORFGBG", "The colours of the terminal, from which Weir derives if its background is dark."
    ),
    ("XDG_DOWNLOAD_DIR", "The folder for files of articles. The default is ~/Downloads."),
    ("http_proxy, https_proxy, all_proxy, no_proxy", "The proxy for all requests."),
    ("CURL_CA_BUNDLE, SSL_CERT_FILE", "A file with the trusted certificates."),
  ]
  private static let codes = [
    ("0", "The command succeeded."), ("1", "The command failed."),
    ("2", "Weir cannot start, because of the home folder, the terminal, the database or the log."),
    ("64", "The command line is invalid."), ("130", "Ctrl-C ended the command."),
  ]

  // MARK: Commands

  private mutating func add(_ command: Entry, path: String) {
    guard command.commandName != "help" else { return }
    let name = "\(path) \(command.commandName)"
    if let parts = command.subcommands?.filter({ $0.commandName != "help" }), !parts.isEmpty {
      for part in parts { add(part, path: name) }
      return
    }
    let own = (command.arguments ?? []).filter { $0.shouldDisplay && !$0.isGlobal }
    let usage = own.map(Self.usage).joined(separator: " ")
    line(".SS \(Self.escaped(name))\(usage.isEmpty ? "" : " ")\(usage)")
    paragraph(command.abstract ?? "")
    paragraph(command.discussion ?? "")
    for argument in own { item(argument) }
  }

  private static func usage(_ argument: Argument) -> String {
    let dots = argument.isRepeating ? " ..." : ""
    guard let name = argument.names?.last else {
      let value = "\\fI\(escaped(argument.valueName ?? ""))\\fR\(dots)"
      return argument.isOptional ? "[\(value)]" : value
    }
    let value = argument.kind == "option" ? " \\fI\(escaped(argument.valueName ?? ""))\\fR" : ""
    let option = escaped(name.text) + value + dots
    return argument.isOptional ? "[\(option)]" : option
  }

  private mutating func item(_ argument: Argument) {
    guard argument.shouldDisplay, let abstract = argument.abstract else { return }
    let value = argument.valueName.map { "\\fI\(Self.escaped($0))\\fR" } ?? ""
    guard let names = argument.names else { return item(value, abstract) }
    let tag = names.map { "\\fB\(Self.escaped($0.text))\\fR" }.joined(separator: ", ")
    item(argument.kind == "option" ? "\(tag) \(value)" : tag, abstract)
  }

  // MARK: Keys

  private mutating func add(_ chapter: Command.Chapter) {
    let keymap = Keymap()
    line(".SS \(chapter.rawValue)")
    for command in Command.allCases where command.chapter == chapter {
      let keys = keymap.sequences(for: command).map { Self.escaped($0.label) }
      guard !keys.isEmpty else { continue }
      item("\\fB\(keys.joined(separator: "\\fR, \\fB"))\\fR", command.title)
    }
  }

  // MARK: Roff

  private mutating func line(_ words: String) { text += words + "\n" }
  private mutating func heading(_ name: String) { line(".SH \(name)") }

  private var isAfterHeading: Bool {
    let last = text.dropLast().split(separator: "\n").last ?? ""
    return last.hasPrefix(".SH") || last.hasPrefix(".SS")
  }

  private mutating func paragraph(_ words: String) {
    for part in words.split(separator: "\n\n") {
      // A heading begins a paragraph of its own.
      if !isAfterHeading { line(".PP") }
      for row in part.split(separator: "\n") { line(Self.escaped(row)) }
    }
  }

  /// Adds an example whose lines are neither filled nor broken.
  private mutating func example(_ meaning: String, _ commands: String) {
    paragraph(meaning)
    line(".PP\n.RS 4\n.EX")
    for row in commands.split(separator: "\n") { line(Self.escaped(row)) }
    line(".EE\n.RE")
  }

  private mutating func item(_ tag: String, _ meaning: String) {
    line(".TP\n\(tag)\n\(Self.escaped(meaning))")
  }

  private static func escaped(_ text: some StringProtocol) -> String {
    let plain = text.replacingOccurrences(of: "\\", with: "\\e")
      .replacingOccurrences(of: "-", with: "\\-")
    return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
  }
}
