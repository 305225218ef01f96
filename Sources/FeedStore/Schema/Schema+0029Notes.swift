extension Schema {
  /// What programs of the user's own said about an article: shown below its text, and searched with
  /// it.
  ///
  /// The triggers leave conflicts out themselves: `OR IGNORE` in a trigger gives way to what the
  /// statement says that set it off (sqlite.org/lang_createtrigger.html).
  static let notes = """
    CREATE TABLE articleNote (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      articleID INTEGER NOT NULL REFERENCES article(id) ON DELETE CASCADE,
      -- As the user calls it; its next answer takes the place of this one.
      program TEXT NOT NULL,
      at INTEGER NOT NULL,
      -- Paragraphs without other markup.
      html TEXT NOT NULL,
      UNIQUE (articleID, program)
    );

    DROP VIEW searchDocument;
    CREATE VIEW searchDocument AS
      SELECT a.id AS articleID, a.title AS title, a.author AS author, b.tags AS tags,
        ifnull(coalesce(t.html, CASE b.html WHEN '' THEN b.summary ELSE b.html END), '')
          || ifnull((SELECT group_concat(n.html, '') FROM
            (SELECT html FROM articleNote WHERE articleID = a.id ORDER BY program) n), '') AS html
      FROM article a JOIN articleBody b ON b.articleID = a.id
        LEFT JOIN fullText t ON t.articleID = a.id;
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
    """
}
