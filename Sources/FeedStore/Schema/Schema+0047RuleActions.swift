extension Schema {
  /// What rules put off, and the programs that they run.
  static let ruleActions = """
    -- Articles that a rule hides until a time.
    CREATE TABLE snooze (
      articleID INTEGER PRIMARY KEY REFERENCES article ON DELETE CASCADE,
      until INTEGER NOT NULL
    );
    CREATE INDEX snooze_until ON snooze (until);

    -- A program that a rule runs for an article: it waits, or it failed. One that ended well is gone.
    CREATE TABLE ruleProgram (
      id INTEGER PRIMARY KEY,
      articleID INTEGER NOT NULL REFERENCES article ON DELETE CASCADE,
      ruleID INTEGER NOT NULL,
      -- A name of the configuration; NULL: the program for notifications.
      program TEXT,
      askedAt INTEGER NOT NULL,
      -- NULL: it waits.
      failedAt INTEGER,
      -- What the system said; NULL: rules may not run it, or there is none of this name.
      failure TEXT
    );
    CREATE INDEX ruleProgram_waiting ON ruleProgram (id) WHERE failedAt IS NULL;
    CREATE INDEX ruleProgram_article ON ruleProgram (articleID);
    CREATE INDEX ruleProgram_rule ON ruleProgram (ruleID, failedAt);

    ALTER TABLE folder ADD COLUMN score INTEGER NOT NULL DEFAULT 0;
    """
}
