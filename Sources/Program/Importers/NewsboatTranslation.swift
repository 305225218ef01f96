import FeedModel
import FeedParsing
import TerminalKit

/// Translates newsboat's `config` to settings of Weir, without reading or writing files.
package struct NewsboatTranslation {
  var proposal = ConfigurationProposal()
  /// The settings of the proxy, which only have a meaning together.
  private var proxy: (address: String?, type: String, isUsed: Bool) = (nil, "http", false)
  private var proxyStatement: NewsboatConfig.Statement?
  var colors: [(role: ThemeRole, style: String)] = []
  private var macroPrefix = ","

  init(
    _ statements: [NewsboatConfig.Statement], commands: [(name: String, keys: [String])]
  ) {
    // The prefix also applies to macros above it.
    for statement in statements where Self.isMacroPrefix(statement) {
      if let keys = Self.keys(statement.words[0]) { macroPrefix = keys }
    }
    for statement in statements { translate(statement) }
    setProxy()
    setTheme()
    nameLostCommands(commands)
  }

  private mutating func translate(_ statement: NewsboatConfig.Statement) {
    switch statement.command {
    case "bind-key": bindKey(statement)
    case "bind": bindSequence(statement)
    case "unbind-key": unbind(statement)
    case "macro": macro(statement)
    case "color": color(statement)
    case "ignore-article", "highlight-article", "highlight": rule(statement)
    case "ignore-mode", "always-display-description", "reset-unread-on-update",
      "define-filter", "run-on-startup", "highlight-feed":
      defineOrRefuse(statement)
    default: setting(statement)
    }
  }

  mutating func accept(
    _ statement: NewsboatConfig.Statement, _ result: String, isRenamed: Bool = false
  ) {
    let note = ConfigurationProposal.Note(line: statement.text, result: result)
    if isRenamed { proposal.renamed.append(note) } else { proposal.accepted.append(note) }
  }

  mutating func refuse(_ statement: NewsboatConfig.Statement, _ why: String) {
    proposal.refused.append(.init(line: statement.text, result: why))
  }

  private mutating func defineOrRefuse(_ statement: NewsboatConfig.Statement) {
    guard statement.command == "define-filter", statement.words.count == 2 else {
      return refuse(statement, NewsboatTables.refusal(of: statement.command))
    }
    guard let search = Self.search(statement.words[1]) else {
      return refuse(statement, "the search language cannot express it")
    }
    accept(statement, "press g/ and then w to save this search: \(search)", isRenamed: true)
  }

  /// Returns `nil` if the search language cannot express the condition.
  package static func search(_ condition: String) -> String? {
    guard let filter = NewsboatFilter(condition) else { return nil }
    return try? filter.search()
  }

  /// Reports a rule. Rules are added separately.
  private mutating func rule(_ statement: NewsboatConfig.Statement) {
    let found = NewsboatRules.parse(statement.text)
    guard !found.rules.isEmpty else {
      return refuse(statement, found.problems.first ?? "it is incomplete")
    }
    proposal.rules.append(
      .init(
        line: statement.text, result: "a rule: " + found.rules.map(\.query).joined(separator: "; "))
    )
  }

  /// Translates `bind-key KEY OPERATION [DIALOG]`.
  private mutating func bindKey(_ statement: NewsboatConfig.Statement) {
    guard statement.words.count >= 2 else { return refuse(statement, "it is incomplete") }
    guard Self.isOneKey(statement.words[0]) else {
      return refuse(statement, "unknown key \u{201C}\(statement.words[0])\u{201D}")
    }
    if Self.isMacroPrefix(statement) {
      return accept(statement, "macros begin with \(macroPrefix)", isRenamed: true)
    }
    let dialog = statement.words.count > 2 ? statement.words[2] : "all"
    bind(
      statement, key: statement.words[0], dialogs: [dialog],
      [NewsboatConfig.Operation(statement.words[1])])
  }

  private static func isMacroPrefix(_ statement: NewsboatConfig.Statement) -> Bool {
    statement.command == "bind-key" && statement.words.dropFirst().first == "macro-prefix"
  }

  /// Translates `bind KEYS DIALOGS OPERATION ; OPERATION`.
  private mutating func bindSequence(_ statement: NewsboatConfig.Statement) {
    guard statement.words.count >= 3 else { return refuse(statement, "it is incomplete") }
    bind(
      statement, key: statement.words[0],
      dialogs: statement.words[1].split(separator: ",").map(String.init),
      NewsboatConfig.operations(statement.words.dropFirst(2)))
  }

  private mutating func bind(
    _ statement: NewsboatConfig.Statement, key: String, dialogs: [String],
    _ operations: [NewsboatConfig.Operation]
  ) {
    guard let keys = Self.keys(key) else {
      return refuse(statement, "unknown key \u{201C}\(key)\u{201D}")
    }
    let places: [BindingContext?] =
      dialogs.contains("all") || dialogs.contains("everywhere")
      ? [nil] : dialogs.flatMap { NewsboatTables.places[$0] ?? [] }
    guard !places.isEmpty else {
      return refuse(
        statement, "Weir has no screen \u{201C}\(dialogs.joined(separator: ", "))\u{201D}")
    }
    var said: [String] = []
    for place in Set(places).sorted(by: { ($0?.rawValue ?? "") < ($1?.rawValue ?? "") }) {
      switch commands(operations, in: place, key: key) {
      case .failure(let refusal): return refuse(statement, refusal.reason)
      case .success(let commands):
        proposal.set(Self.table(place), keys, ConfigurationProposal.list(commands))
        said.append("[\(Self.table(place))] \(keys) = \(commands.joined(separator: ", "))")
      }
    }
    let isRenamed = said.contains { !$0.hasSuffix(" = \(operations.first?.name ?? "")") }
    accept(statement, said.joined(separator: "; "), isRenamed: isRenamed)
  }

  private mutating func unbind(_ statement: NewsboatConfig.Statement) {
    guard let key = statement.words.first else { return refuse(statement, "it is incomplete") }
    guard key != "-a" else {
      return refuse(statement, "keys are unbound one at a time: set each to [] in [bindings]")
    }
    guard let keys = Self.keys(key) else {
      return refuse(statement, "unknown key \u{201C}\(key)\u{201D}")
    }
    let dialog = statement.words.count > 1 ? statement.words[1] : "all"
    let places: [BindingContext?] =
      dialog == "all" ? [nil] : (NewsboatTables.places[dialog] ?? []).map(Optional.some)
    guard !places.isEmpty else {
      return refuse(statement, "Weir has no screen \u{201C}\(dialog)\u{201D}")
    }
    for place in places { proposal.set(Self.table(place), keys, "[]") }
    accept(statement, "\(keys) does nothing")
  }

  /// Translates `macro KEY OPERATION ; OPERATION [-- "description"]`.
  private mutating func macro(_ statement: NewsboatConfig.Statement) {
    guard let key = statement.words.first, let keys = Self.keys(key) else {
      return refuse(statement, "Weir has no such key")
    }
    let operations = NewsboatConfig.operations(statement.words.dropFirst())
    guard !operations.isEmpty else { return refuse(statement, "it does nothing") }
    switch commands(operations, in: nil, key: key) {
    case .failure(let refusal): refuse(statement, refusal.reason)
    case .success(let commands):
      proposal.set("bindings", "\(macroPrefix) \(keys)", ConfigurationProposal.list(commands))
      accept(
        statement, "[bindings] \(macroPrefix) \(keys) = \(commands.joined(separator: ", "))",
        isRenamed: true)
    }
  }

  private struct Refusal: Error { var reason: String }

  /// Translates a sequence of operations; may define programs.
  private mutating func commands(
    _ operations: [NewsboatConfig.Operation], in place: BindingContext?, key: String
  ) -> Result<[String], Refusal> {
    var commands: [String] = []
    var browser: String?
    for operation in operations {
      switch operation.name {
      case "set":
        guard operation.arguments.first == "browser", operation.arguments.count == 2 else {
          let name = operation.arguments.first ?? ""
          return .failure(Refusal(reason: "a macro cannot set \(name)"))
        }
        browser = operation.arguments[1]
      case _ where operation.name.hasPrefix("open-in-browser") && browser != nil:
        commands.append("send program \(program(browser ?? "", name: "macro-\(key)"))")
      case "pipe-to" where !operation.arguments.isEmpty:
        commands.append(
          "send pipe \(program(operation.arguments.joined(separator: " "), name: "pipe-\(key)"))")
      default:
        if let reason = NewsboatTables.refusals[operation.name] {
          return .failure(Refusal(reason: reason))
        }
        let byContext = place.flatMap { NewsboatTables.operationsByContext[operation.name]?[$0] }
        guard let found = byContext ?? NewsboatTables.operations[operation.name] else {
          return .failure(Refusal(reason: "Weir has no command like \(operation.name)"))
        }
        commands += found
      }
    }
    return commands.isEmpty
      ? .failure(Refusal(reason: "it only changes settings")) : .success(commands)
  }

  /// Returns the words of a command line that needs no shell, otherwise the name of a program that
  /// runs the line.
  private mutating func program(_ line: String, name: String) -> String {
    let words = Self.shellFree(line)
    if let words { return words.joined(separator: " ") }
    proposal.set("programs", name, ConfigurationProposal.list(Self.shell(line)))
    return name
  }

  /// Returns the words of a command line; `nil` if the line needs a shell.
  private static func shellFree(_ line: String) -> [String]? {
    guard !line.contains(where: { "|&;<>$`(){}*?#~\\'\"".contains($0) }) else { return nil }
    let words = line.split(separator: " ").map { $0 == "%u" ? "%s" : String($0) }
    // A % within a word, or one other than %u, needs the shell.
    return words.contains { $0.contains("%") && $0 != "%s" } || words.isEmpty ? nil : words
  }

  /// Returns a shell command in which the address is an argument, never part of the script.
  private static func shell(_ line: String) -> [String] {
    // Unwraps an inner shell, because its script would contain the address.
    if let match = line.wholeMatch(of: /(\w*sh) -c (?:\x27([^\x27]*)\x27|\x22([^\x22\\]*)\x22)/),
      let script = match.2 ?? match.3
    {
      return [String(match.1)] + shell(String(script)).dropFirst()
    }
    let values: [Character: String] = [
      "u": "0", "F": "WEIR_FEED_URL", "t": "WEIR_TITLE", "T": "WEIR_TITLE",
    ]
    var (script, hasSign) = ("", false)
    var quote: Character?
    var rest = line[...]
    while let character = rest.popFirst() {
      if quote == nil, character == "'" || character == "\"", rest.first == "%",
        rest.dropFirst(2).first == character,
        let value = rest.dropFirst().first.flatMap({ values[$0] })
      {
        rest = rest.dropFirst(3)
        script += "\"$\(value)\""
        hasSign = true
        continue
      }
      if character == "%", let value = rest.first.flatMap({ values[$0] }) {
        rest.removeFirst()
        hasSign = true
        switch quote {
        case "\"": script += "${\(value)}"
        case "'": script += "'\"$\(value)\"'"
        default: script += "\"$\(value)\""
        }
        continue
      }
      script.append(character)
      if character == "\\", quote != "'", let next = rest.popFirst() {
        script.append(next)
      } else if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
      }
    }
    if !hasSign { script += " \"$0\"" }
    return ["sh", "-c", script, "%s"]
  }

  private static func table(_ place: BindingContext?) -> String {
    place.map { "bindings.\($0.rawValue)" } ?? "bindings"
  }

  /// Returns true for a character, the name of a key, or a key with a modifier.
  private static func isOneKey(_ text: String) -> Bool {
    text.count == 1 || NewsboatTables.keys[text.uppercased()] != nil
      || text.hasPrefix("^") && text.count == 2 || text.hasPrefix("<")
      || text.uppercased().hasPrefix("F") && Int(text.dropFirst()) != nil
  }

  /// Converts newsboat's spelling of a key or a sequence to Weir's.
  static func keys(_ text: String) -> String? {
    if let name = NewsboatTables.keys[text.uppercased()], text.count > 1 { return name }
    var names: [String] = []
    var rest = text[...]
    if text.uppercased().hasPrefix("F"), let number = Int(text.dropFirst()) {
      names = ["f\(number)"]
      rest = ""
    }
    while let first = rest.first {
      if first == "<", let end = rest.firstIndex(of: ">"), rest.count > 1 {
        let inner = String(rest[rest.index(after: rest.startIndex)..<end])
        names.append(NewsboatTables.keys[inner.uppercased()] ?? inner.lowercased())
        rest = rest[rest.index(after: end)...]
      } else if first == "^", rest.count > 1 {
        names.append("ctrl-\(rest[rest.index(after: rest.startIndex)].lowercased())")
        rest = rest.dropFirst(2)
      } else {
        names.append(first == " " ? "space" : String(first))
        rest = rest.dropFirst()
      }
    }
    let sequence = names.joined(separator: " ")
    return KeySequence(sequence) == nil ? nil : sequence
  }

  private mutating func setting(_ statement: NewsboatConfig.Statement) {
    let value = statement.words.joined(separator: " ")
    switch statement.command {
    case "browser": set(statement, "open", "browser", Self.words(value))
    case "player": set(statement, "open", "player", Self.words(value))
    case "bookmark-cmd": set(statement, "open", "bookmark", Self.words(value))
    case "notify-program": set(statement, "notify", "command", Self.words(value))
    case "external-url-viewer":
      proposal.set("programs", "urls", "{ command = \(Self.words(value)), terminal = true }")
      accept(statement, "[programs] urls; \u{201C}| urls\u{201D} runs it", isRenamed: true)
    case "download-path":
      guard value.hasPrefix("/") || value.hasPrefix("~/") else {
        return refuse(statement, "the path must begin with / or ~/")
      }
      set(statement, "open", "downloads", ConfigurationProposal.quoted(value))
    case "auto-reload":
      set(statement, "sync", "automatic", value == "yes" ? "true" : "false")
    case "max-items": number(statement, "keep", "articles", 0...10_000_000)
    case "keep-articles-days": number(statement, "keep", "days", 0...36_500)
    case "max-downloads": number(statement, "downloads", "parallel", 1...16)
    case "reload-threads": number(statement, "sync", "connections", 1...128)
    case "text-width":
      if value == "0" { return refuse(statement, "reader.text-width sets the width of lines") }
      number(statement, "reader", "text-width", 20...1_000)
    case "user-agent": set(statement, "sync", "user-agent", ConfigurationProposal.quoted(value))
    case "mark-as-read-on-hover":
      set(statement, "reader", "mark-passed", value == "yes" ? "true" : "false")
    case "article-sort-order": order(statement, value)
    case "proxy":
      proxy.address = value
      proxyStatement = statement
    case "proxy-type": proxy.type = value
    case "use-proxy": proxy.isUsed = value == "yes"
    default:
      refuse(statement, NewsboatTables.refusal(of: statement.command))
    }
  }

  private mutating func set(
    _ statement: NewsboatConfig.Statement, _ table: String, _ key: String, _ value: String
  ) {
    guard !statement.words.isEmpty, value != "[]", value != "\"\"" else {
      return refuse(statement, "it sets nothing")
    }
    proposal.set(table, key, value)
    accept(statement, "\(table).\(key) = \(value)", isRenamed: key != statement.command)
  }

  private mutating func number(
    _ statement: NewsboatConfig.Statement, _ table: String, _ key: String, _ range: ClosedRange<Int>
  ) {
    guard let number = statement.words.first.flatMap({ Int($0) }), range.contains(number) else {
      return refuse(
        statement, "\(table).\(key) must be between \(range.lowerBound) and \(range.upperBound)")
    }
    set(statement, table, key, String(number))
  }

  /// Sets the order of articles. newsboat's "date-asc" has the newest article first.
  private mutating func order(_ statement: NewsboatConfig.Statement, _ value: String) {
    let orders = [
      "date": "oldest", "date-desc": "oldest", "date-asc": "newest", "title": "title",
      "title-asc": "title", "author": "author", "author-asc": "author",
    ]
    guard let order = orders[value] else { return refuse(statement, "unknown sort order") }
    set(statement, "lists", "order", ConfigurationProposal.quoted(order))
  }

  private static func words(_ line: String) -> String {
    ConfigurationProposal.list(shellFree(line) ?? (line.isEmpty ? [] : shell(line)))
  }

  private mutating func setProxy() {
    guard let address = proxy.address, let statement = proxyStatement else { return }
    guard proxy.isUsed else { return refuse(statement, "use-proxy is not set") }
    let whole = address.contains("://") ? address : "\(proxy.type)://\(address)"
    guard FeedOptions.isProxy(whole) else {
      return refuse(statement, "not a valid proxy address")
    }
    set(statement, "sync", "proxy", ConfigurationProposal.quoted(whole))
  }
}
