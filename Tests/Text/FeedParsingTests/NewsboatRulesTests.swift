@Suite("newsboat's ignore-article and highlight-article") struct NewsboatRulesTests {
  @Test(
    "A line becomes rules with the same meaning",
    arguments: [
      (#"ignore-article "*" "title =~ \"Sponsored\"""#, ["title:/Sponsored/"]),
      (
        #"ignore-article "https://a.example/rss" "author = \"J. Doe\"""#,
        [#"feed:"https://a.example/rss" author:/^J\. Doe$/"#]
      ),
      (
        #"ignore-article "*" "title =~ \"deal|sale\" and (age > 7 or unread = \"no\")""#,
        ["title:/deal|sale/ before:8d", "title:/deal|sale/ is:read"]
      ),
      (
        #"ignore-article * "feedtitle = \"LWN\" and content !~ \"kernel\"""#,
        ["feed:LWN -/kernel/"]
      ),
      (#"ignore-article * 'title =~ "a/b"'"#, []),
      (#"ignore-article "*" "title =~ \"a/b\" # tail""#, []),
      (#"ignore-article "*" "title =~ \"a/b\"""#, [#"title:/a\/b/"#]),
      (
        #"ignore-article "*" "tags # \"news\" and enclosure_type =~ \"audio/\"""#,
        ["tag:news has:audio"]
      ),
      ("# ignore-article * x", []), ("bind-key j down", []),
    ] as [(String, [String])])
  func ignore(line: String, queries: [String]) throws {
    let found = NewsboatRules.parse(line)
    #expect(found.rules.map(\.query) == queries)
    #expect(found.rules.allSatisfy { $0.actions == [.hide] })
    for query in found.rules.map(\.query) { #expect(try !SearchQuery(query).isEmpty) }
  }

  @Test("A highlight gets the nearest of the four colours")
  func highlight() {
    let found = NewsboatRules.parse(
      """
      highlight-article "title =~ \\"swift\\"" red default bold
      highlight-article "author =~ \\"doe\\"" yellow default
      """)
    #expect(found.rules.map(\.query) == ["title:/swift/", "author:/doe/"])
    #expect(found.rules.map(\.actions) == [[.highlight(4)], [.highlight(1)]])
    #expect(found.skipped.isEmpty)
  }

  @Test(
    "Highlights of words become rules, and other highlights are skipped",
    arguments: [
      (#"highlight articlelist "kernel|rust" red default bold"#, "title:/kernel|rust/", 4),
      (#"highlight article "swift" green default"#, "/swift/", 2),
      (#"highlight all "a/b" yellow"#, #"/a\/b/"#, 1),
      (#"highlight all "---.*---" yellow"#, nil, 0),
      (#"highlight feedlist "news" yellow default"#, nil, 0),
      (#"highlight article "https?://[^ ]+" blue default"#, nil, 0),
      (#"highlight article "(^Feed:.*|^Title:.*)" cyan default"#, nil, 0),
      (#"highlight article "\\[[0-9][0-9]*\\]" magenta default bold"#, nil, 0),
      (#"highlight article "\\[image\\ [0-9]+\\]" green default"#, nil, 0),
      (#"highlight article "\\[embedded flash: [0-9][0-9]*\\]" green default"#, nil, 0),
      (#"highlight article ":.*\\(link\\)$" cyan default"#, nil, 0),
      (#"highlight article ":.*\\(embedded flash\\)$" cyan default"#, nil, 0),
      (#"highlight articlelist "\\[Review\\]" green default"#, #"title:/\[Review\]/"#, 2),
      (#"highlight article "a(?=b)" cyan default"#, nil, 0),
    ] as [(String, String?, Int)])
  func words(line: String, query: String?, color: Int) {
    let found = NewsboatRules.parse(line)
    #expect(found.rules.map(\.query) == [query].compactMap { $0 })
    #expect(found.rules.map(\.actions) == (query == nil ? [] : [[.highlight(color)]]))
    #expect(found.skipped.count == (query == nil ? 1 : 0))
  }

  @Test(
    "A line without a counterpart is skipped and named by its number",
    arguments: [
      #"ignore-article "*" "total_count > 5""#, #"ignore-article "regex:.*" "title = \"x\"""#,
      #"ignore-article "*" "(title = \"x\"""#, #"ignore-article "*" "title ~ ""#,
      #"ignore-article "*" "title =~ \"(a\"""#, #"ignore-article "*" "title =~ \"a(?=b)\"""#,
    ])
  func skipped(line: String) {
    let found = NewsboatRules.parse("# rules\n" + line)
    #expect(found.rules.isEmpty)
    #expect(found.skipped.count == 1)
    #expect(found.skipped.first?.hasPrefix("Line 2: ") == true)
  }

  @Test("Too many nested alternatives are rejected instead of multiplied")
  func bomb() {
    let part = "(title = \\\"a\\\" or title = \\\"b\\\")"
    let line =
      "ignore-article * \"" + Array(repeating: part, count: 40).joined(separator: " and ") + "\""
    let found = NewsboatRules.parse(line)
    #expect(found.rules.isEmpty)
    #expect(found.skipped.count == 1)
  }

  @Test(
    "Highlights for the header lines of an article are not rules",
    arguments: [
      "^Title:.*$", "^(Feed|Link):.*$", "^(Title|Author|Date):", "^Podcast Download URL: ",
    ])
  func headingHighlights(expression: String) {
    #expect(NewsboatRules.parse("highlight article \"\(expression)\" cyan default").rules.isEmpty)
  }

  @Test("A highlight for a word before a colon is a rule")
  func wordHighlight() {
    #expect(NewsboatRules.parse("highlight article \"^Breaking:\" red default").rules.count == 1)
  }
}
