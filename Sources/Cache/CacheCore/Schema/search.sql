-- The index of words, saved searches, and rules.
--
-- The index holds no text, only the words in each column of each article up to
-- `searchState.doneTo`. Removing an article from the index needs the old text, which triggers
-- keep in `searchStale`.

CREATE VIRTUAL TABLE searchIndex USING fts5(
  title, author, body, tags, content='', tokenize='ascii', detail=column,
  columnsize=0, prefix='3');
-- The job that fills the index merges its segments in steps. FTS5 alone would let them grow in
-- number, and then merge them for seconds within one commit.
INSERT INTO searchIndex (searchIndex, rank) VALUES ('automerge', 0), ('crisismerge', 1000);

CREATE TABLE searchState (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- Each article up to this one is indexed.
  doneTo INTEGER NOT NULL
);
INSERT INTO searchState (id, doneTo) VALUES (1, 0);
CREATE TABLE searchStale (
  -- Indexed texts of articles that have changed or were deleted since.
  articleID INTEGER PRIMARY KEY,
  title TEXT,
  author TEXT,
  tags TEXT,
  html TEXT
);
CREATE VIEW searchDocument AS
  -- The text of an article that is indexed: of its page, if that was fetched, and its notes.
  SELECT a.id AS articleID, a.title AS title, a.author AS author, b.tags AS tags,
    ifnull(coalesce(t.html, CASE b.html WHEN '' THEN b.summary ELSE b.html END), '')
      || ifnull((SELECT group_concat(n.html, '') FROM
        (SELECT html FROM articleNote WHERE articleID = a.id ORDER BY program) n), '') AS html
  FROM article a JOIN articleBody b ON b.articleID = a.id
    LEFT JOIN fullText t ON t.articleID = a.id;
CREATE TRIGGER article_search_changed BEFORE UPDATE OF title, author ON article
WHEN OLD.title IS NOT NEW.title OR OLD.author IS NOT NEW.author BEGIN
  INSERT OR IGNORE INTO searchStale (articleID, title, author, tags, html)
    SELECT articleID, title, author, tags, html FROM searchDocument
    WHERE articleID = OLD.id AND OLD.id <= (SELECT doneTo FROM searchState);
END;
CREATE TRIGGER article_search_removed BEFORE DELETE ON article BEGIN
  INSERT OR IGNORE INTO searchStale (articleID, title, author, tags, html)
    SELECT articleID, title, author, tags, html FROM searchDocument
    WHERE articleID = OLD.id AND OLD.id <= (SELECT doneTo FROM searchState);
END;
CREATE TRIGGER body_search_changed BEFORE UPDATE OF html, summary, tags ON articleBody
WHEN OLD.html IS NOT NEW.html OR OLD.summary IS NOT NEW.summary OR OLD.tags IS NOT NEW.tags
BEGIN
  INSERT OR IGNORE INTO searchStale (articleID, title, author, tags, html)
    SELECT articleID, title, author, tags, html FROM searchDocument
    WHERE articleID = OLD.articleID AND OLD.articleID <= (SELECT doneTo FROM searchState);
END;
CREATE TRIGGER fullText_search_changed BEFORE UPDATE OF html ON fullText
WHEN OLD.html IS NOT NEW.html BEGIN
  INSERT OR IGNORE INTO searchStale (articleID, title, author, tags, html)
    SELECT articleID, title, author, tags, html FROM searchDocument
    WHERE articleID = OLD.articleID AND OLD.articleID <= (SELECT doneTo FROM searchState);
END;
-- These exclude conflicts themselves: the conflict clause of the statement that fires a trigger
-- overrides OR IGNORE in it (sqlite.org/lang_createtrigger.html).
CREATE TRIGGER note_search_added BEFORE INSERT ON articleNote BEGIN
  INSERT INTO searchStale (articleID, title, author, tags, html)
    SELECT articleID, title, author, tags, html FROM searchDocument
    WHERE articleID = NEW.articleID AND NEW.articleID <= (SELECT doneTo FROM searchState)
      AND NOT EXISTS (SELECT 1 FROM searchStale WHERE articleID = NEW.articleID);
END;
CREATE TRIGGER note_search_changed BEFORE UPDATE OF html ON articleNote BEGIN
  INSERT INTO searchStale (articleID, title, author, tags, html)
    SELECT articleID, title, author, tags, html FROM searchDocument
    WHERE articleID = OLD.articleID AND OLD.articleID <= (SELECT doneTo FROM searchState)
      AND NOT EXISTS (SELECT 1 FROM searchStale WHERE articleID = OLD.articleID);
END;
CREATE TRIGGER note_search_removed BEFORE DELETE ON articleNote BEGIN
  INSERT INTO searchStale (articleID, title, author, tags, html)
    SELECT articleID, title, author, tags, html FROM searchDocument
    WHERE articleID = OLD.articleID AND OLD.articleID <= (SELECT doneTo FROM searchState)
      AND NOT EXISTS (SELECT 1 FROM searchStale WHERE articleID = OLD.articleID);
END;

CREATE TABLE savedSearch (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  query TEXT NOT NULL,
  position INTEGER NOT NULL
);

CREATE TABLE rule (
  -- Conditions on arriving articles, and the actions where they match.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The query, if the user gave no name.
  name TEXT NOT NULL,
  query TEXT NOT NULL,
  -- Codes of RuleAction, separated by spaces.
  actions TEXT NOT NULL,
  isEnabled INTEGER NOT NULL DEFAULT 0,
  -- 1: an article that matches is not compared with later rules.
  stops INTEGER NOT NULL DEFAULT 0,
  -- NULL: no end.
  until INTEGER,
  position INTEGER NOT NULL,
  -- 1: from rules.toml, which comes first.
  isFile INTEGER NOT NULL DEFAULT 0,
  -- Counts changes of condition or actions. A changed rule may act on an article again.
  revision INTEGER NOT NULL DEFAULT 1,
  -- Why the program disabled it: a code of Rule.Problem.
  problem TEXT,
  createdAt INTEGER NOT NULL
);
CREATE INDEX rule_order ON rule (isFile DESC, position, id);

CREATE TABLE ruleHit (
  -- Rules that have acted on articles, so that a changed article does not repeat it.
  articleID INTEGER NOT NULL REFERENCES article ON DELETE CASCADE,
  -- Without a foreign key: it outlives the rule.
  ruleID INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  at INTEGER NOT NULL,
  -- The actions that changed something, as in `rule.actions`.
  did TEXT NOT NULL,
  PRIMARY KEY (articleID, ruleID)
) WITHOUT ROWID;
CREATE INDEX ruleHit_rule ON ruleHit (ruleID, at);

CREATE TABLE ruleProgram (
  -- Runs of programs by rules: waiting ones, and failed ones for 30 days.
  id INTEGER PRIMARY KEY,
  articleID INTEGER NOT NULL REFERENCES article ON DELETE CASCADE,
  ruleID INTEGER NOT NULL,
  -- The configured name; NULL: the program for notifications.
  program TEXT,
  askedAt INTEGER NOT NULL,
  -- NULL: it waits. Set before the program runs, so that none runs twice.
  failedAt INTEGER,
  -- The system's message; empty: interrupted; NULL: rules may not run it, or there is no
  -- program of this name.
  failure TEXT
);
CREATE INDEX ruleProgram_waiting ON ruleProgram (id) WHERE failedAt IS NULL;
CREATE INDEX ruleProgram_article ON ruleProgram (articleID);
CREATE INDEX ruleProgram_rule ON ruleProgram (ruleID, failedAt);

CREATE TABLE snooze (
  -- Articles that are hidden for a while: those with bit 8 of `articleStatus.isHidden`.
  articleID INTEGER PRIMARY KEY REFERENCES article ON DELETE CASCADE,
  until INTEGER NOT NULL,
  -- 0: the user snoozed it; 1: a rule did; 2: the unread articles of its feed are released
  -- a few at a time.
  reason INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX snooze_until ON snooze (until);
