/// Words that must not be used in names, comments, documents and tests, with the usual word for
/// each. Texts on screens have further rules in `TextCatalogueTests`.
@Suite("The vocabulary") struct VocabularyTests {
  /// Case-insensitive regular expressions, and what to write instead.
  private static let replaced: [(words: String, instead: String)] = [
    ("\\bmanners\\b|\\bpoliteness\\b|PoliteTransport", "etiquette, RateLimitedTransport"),
    ("\\bupkeep\\b|\\bkeepUp\\b", "maintenance"),
    ("takeStock|AccountStock|\\btellings?\\b", "pending work, AccountSyncState, publish"),
    ("foregone", "preflight"),
    ("VainNames|\\bin vain\\b|InVain", "MissingRemoteIDs, without success"),
    ("settleDoubts|suspectedDoubt", "suspectedOutages"),
    ("restsUntil|leftAlone|\\bleft alone\\b|\\bfor peace\\b|\\bof peace\\b", "back-off, pause"),
    ("\\bHostBook|ExchangeBook", "HostRegistry, TransferMonitor"),
    ("\\bvalves?\\b|TransferValve", "PauseToken"),
    ("OwnSource\\b", "LocalSource"),
    ("\\bfurniture\\b|\\bisFilm\\b", "boilerplate, isVideoEmbed"),
    ("\\bwrecks?\\b", "DamagedDatabase"),
    ("TerminalVocabulary", "TerminalCapabilities"),
    ("HouseTests|\\bthe house\\b|\\bthis house\\b", "ArchitectureTests, the project"),
    ("\\bparted (by|as)\\b|\\bare parted\\b", "separated"),
    ("\\bmended\\b|AreMended", "repaired, fixed"),
    ("\\btouch the world\\b|\\bworld of lines\\b", "I/O, simulated networks"),
    (
      "\\b(slow|poor|bad|dead|fast|better|radio) lines?\\b"
        + "|\\bthe line (lives|was dead|is back|is gone|is lost|is bad|bears|comes back|came back)\\b"
        + "|\\b(off|over|without) (the|a) line\\b(?! end)|\\bwait\\w* for the line\\b"
        + "|(?-i:(Dead|Faulty|WithoutA|OffThe|OverThe|ForThe)Lines?(?![a-z]))",
      "network"
    ),
    (
      "(?-i:func `?(take|settle|keep|leave|tell|look|beside)(?![a-z]))",
      "a plain verb: apply, store, remove, report, check, close"
    ),
    ("\\bwhat stood, stands\\b|\\bno wonder\\b|\\bfares\\b", "a literal sentence"),
    ("\\bgive a change up\\b|\\bgives? up what\\b", "discard"),
    ("\\bin the DNS\\b|\\bin a circle\\b|\\bthe most telling\\b", "a literal sentence"),
    ("\\b(doctored|poisoned)\\b", "malicious, invalid"),
    ("AddressNamers|(?-i:\\bnamers?\\b)", "referrers"),
    ("\\bpatience:|Self\\.patience|(account|fetch)Patience", "timeout, tries, delay"),
    ("PictureWish|PackWish|\\bpackWishes\\b", "request"),
    ("(?-i:drainHold|shortHold|setDownloadHold|heldHosts|isHolding)", "pause, suspend"),
    ("AdoptedFeed|isAdopted|RenewedArticles|\\bisRenewed: ", "migrate"),
    ("plan\\.sleepers|isAsleep|(shows|names)Asleep|AsleepScreen|WakeTimer|wakeDue", "snoozed, due"),
    ("(?-i:KeptArticles)|showKept|SmartFeed\\.kept", "archived"),
    ("sealDifferences|sealPositions|\\bOwnActs\\b", "flush, change"),
    ("\\bJoinPlan\\b|isJoining", "onboarding"),
    ("ListPlace|HintPlace|BindingPlace|ForeignPlaces|savedPlace", "position, context, selector"),
    ("likenessFunction|Link\\.likeness", "similarityHash"),
    ("setAttention|attentionChanged|(?-i:\\bAttention\\()", "visibleFeeds"),
    ("StoryRoles|mostTwins|isSecureTwin|folds?Copies|Link\\.isStory", "duplicate, canonical"),
  ]

  /// Lines in which a word is literal or stored (a table, a target of make that people type), or an
  /// ordinary term: a database is taken over, see the glossary.
  private static let exceptions: [(path: String, line: String)] = [
    ("Sources/Cache/CacheCore/Recovery/", "func takeOver"),
    ("Makefile", "manners"), ("CHANGELOG.md", "^- `make manners`"),
    ("Tests/Text/HTMLContentTests/", "1961 valve radio"),
  ]

  /// Returns sources, tests, documents and build files, without other people's fixtures and the
  /// lists of words.
  private static func files() -> [String] {
    let lists = ["VocabularyTests.swift", "TextCatalogueTests.swift"]
    let others = ["Fixtures/", "Corpus/", "Pages/", "Articles/", "Golden/", "Records/"]
    let kinds: Set = ["swift", "c", "h", "md", "toml", "xml", "sh", "1"]
    let walked = ["Sources", "Tests", "Resources"].flatMap {
      ImportRules.files(under: $0, withExtensions: kinds)
    }.map { String($0.path.dropFirst(ImportRules.root.path.count + 1)) }
    let atRoot = ["README", "CONTRIBUTING", "CHANGELOG", "SECURITY", "Benchmarks"].map {
      $0 + ".md"
    }
    return (walked + atRoot + ["Makefile", "Package.swift", ".ci/run"]).filter { path in
      !lists.contains { path.hasSuffix($0) }
        && !(path.hasPrefix("Tests/") && others.contains { path.contains($0) })
    }
  }

  private struct Rule {
    let words: NSRegularExpression
    let instead: String

    init(_ words: String, _ instead: String) throws {
      self.words = try NSRegularExpression(pattern: words, options: .caseInsensitive)
      self.instead = instead
    }

    func matches(_ text: String) -> [Range<String.Index>] {
      words.matches(in: text, range: NSRange(text.startIndex..., in: text))
        .compactMap { Range($0.range, in: text) }
    }
  }

  /// Returns the forbidden words of a text with their line numbers and objections.
  private static func found(
    in text: String, of path: String, _ rules: [Rule]
  ) throws -> [(line: Int, objection: String)] {
    try rules.flatMap { rule in
      try rule.matches(text).compactMap { range in
        let line = text[text.lineRange(for: range)]
        let isExcepted = try exceptions.contains {
          try path.hasPrefix($0.path) && line.contains(Regex($0.line))
        }
        guard !isExcepted else { return nil }
        let number = text[..<range.lowerBound].utf8.count { $0 == 0x0A } + 1
        return (number, "\u{201C}\(text[range])\u{201D}: write \(rule.instead)")
      }
    }
  }

  private static func rules() throws -> [Rule] {
    try replaced.map { try Rule($0.words, $0.instead) }
  }

  @Test("No file has a forbidden word") func wordsStayAway() throws {
    let rules = try Self.rules()
    let files = Self.files()
    #expect(files.count > 500, "the walk found only \(files.count) files")
    for path in files {
      let text = try String(contentsOf: ImportRules.root.appending(path: path), encoding: .utf8)
      for (line, objection) in try Self.found(in: text, of: path, rules) {
        Issue.record("\(path):\(line): \(objection)")
      }
    }
  }

  @Test(
    "A forbidden word is found in a name, a comment and a sentence, and similar words are not",
    arguments: [
      ("  let valve: TransferValve?", true), ("/// On a slow line only", true),
      ("  func whatIsAskedForInVain() {", true), ("- The manners of this fetcher", true),
      ("  func takeStock() {", true), ("  private func look(at row: Int) {", true),
      ("  func silenceTakesAllOffTheLine() {", true), ("  func takesUTF8() {", false),
      ("  let intervals = [1]", false), ("/// A slow network gets more time.", false),
      ("/// The line is too long for the window.", false),
    ])
  func wordsAreFound(line: String, isFound: Bool) throws {
    #expect(try Self.found(in: line, of: "Sources/A.swift", Self.rules()).isEmpty == !isFound)
  }

  @Test("The exceptions are still needed") func exceptionsAreUsed() throws {
    for (path, pattern) in Self.exceptions {
      let isUsed = try Self.files().contains { file in
        guard file.hasPrefix(path) else { return false }
        let text = try String(contentsOf: ImportRules.root.appending(path: file), encoding: .utf8)
        return try text.split(separator: "\n").contains { try $0.contains(Regex(pattern)) }
      }
      #expect(isUsed, "\(path): \(pattern)")
    }
  }
}
