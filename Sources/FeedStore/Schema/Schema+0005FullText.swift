extension Schema {
  /// The text of an article's page is stored apart from what its feed says: a merge cannot
  /// overwrite it, and the reader can go back. A row is a request until `isWaiting` is 0.
  ///
  /// What was fetched is searched too, in place of the feed's text.
  static let fullText = """
    CREATE TABLE fullText (
      articleID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
      askedAt INTEGER NOT NULL,
      -- By a person who waits for it, and not by the feed's setting.
      isWanted INTEGER NOT NULL,
      isWaiting INTEGER NOT NULL DEFAULT 1,
      isShown INTEGER NOT NULL DEFAULT 1,
      html TEXT,
      failureKind TEXT,
      failureStatus INTEGER,
      failureDetail TEXT,
      failureSince INTEGER,
      failureCount INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX fullText_waiting ON fullText(articleID) WHERE isWaiting = 1;
    ALTER TABLE feed ADD COLUMN fetchesFullText INTEGER NOT NULL DEFAULT 0;

    DROP VIEW searchDocument;
    CREATE VIEW searchDocument AS
      SELECT a.id AS articleID, a.title AS title, a.author AS author, b.tags AS tags,
        coalesce(t.html, CASE b.html WHEN '' THEN b.summary ELSE b.html END) AS html
      FROM article a JOIN articleBody b ON b.articleID = a.id
        LEFT JOIN fullText t ON t.articleID = a.id;
    CREATE TRIGGER fullText_search_changed BEFORE UPDATE OF html ON fullText
    WHEN OLD.html IS NOT NEW.html BEGIN
      INSERT OR IGNORE INTO searchStale (articleID, title, author, tags, html)
        SELECT articleID, title, author, tags, html FROM searchDocument
        WHERE articleID = OLD.articleID AND OLD.articleID <= (SELECT doneTo FROM searchState);
    END;
    """
}
