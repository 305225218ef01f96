extension Schema {
  /// Rules, what they did, and what they gave articles: a score, a highlight.
  static let rules = """
    CREATE TABLE rule (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL,
      query TEXT NOT NULL,
      -- Codes separated by spaces (RuleAction).
      actions TEXT NOT NULL,
      isEnabled INTEGER NOT NULL DEFAULT 0,
      -- 1: of the rules behind it none is judged where it matches.
      stops INTEGER NOT NULL DEFAULT 0,
      -- It ends then; NULL: never.
      until INTEGER,
      position INTEGER NOT NULL,
      -- 1: of the file rules.toml.
      isFile INTEGER NOT NULL DEFAULT 0,
      -- Counted up when the condition or the actions change: it may then act once more.
      revision INTEGER NOT NULL DEFAULT 1,
      -- Why it was disabled by the program: a code.
      problem TEXT,
      createdAt INTEGER NOT NULL
    );
    CREATE INDEX rule_order ON rule (isFile DESC, position, id);

    -- A rule that has acted on an article: it does not act on it again when the article changes.
    CREATE TABLE ruleHit (
      articleID INTEGER NOT NULL REFERENCES article ON DELETE CASCADE,
      ruleID INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      at INTEGER NOT NULL,
      -- The actions that changed something: codes, as in rule.
      did TEXT NOT NULL,
      PRIMARY KEY (articleID, ruleID)
    ) WITHOUT ROWID;
    CREATE INDEX ruleHit_rule ON ruleHit (ruleID, at);

    ALTER TABLE articleStatus ADD COLUMN score INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE articleStatus ADD COLUMN highlight INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE articleStatus ADD COLUMN openedAt INTEGER;
    CREATE INDEX list_ruled ON articleStatus (feedID, sortDate) WHERE isHidden & 4 <> 0;
    ALTER TABLE feed ADD COLUMN score INTEGER NOT NULL DEFAULT 0;

    INSERT INTO changeVersion (kind) VALUES (12);
    """
}
