extension Schema {
  /// The search index holds no text, only which words are in which column of which article, in
  /// the order of the articles' keys: everything up to `searchState.doneTo`. What such an article
  /// said before it was changed or removed waits in `searchStale`, for only the old text can take
  /// it out.
  ///
  /// `searchDocument` is the text of an article as it is indexed; whatever adds to it (a fetched
  /// full text) makes the view anew and keeps the old document with a trigger like these.
  static let search = """
    CREATE VIRTUAL TABLE searchIndex USING fts5(
      title, author, body, tags, content='', tokenize='ascii', detail=column,
      columnsize=0, prefix='3');
    -- Its parts are merged by the job that fills it, in steps: left to itself FTS5 lets them gather while
    -- it grows by a few articles at a time, and then merges for seconds within one commit.
    INSERT INTO searchIndex (searchIndex, rank) VALUES ('automerge', 0), ('crisismerge', 1000);

    CREATE TABLE searchState (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      doneTo INTEGER NOT NULL
    );
    INSERT INTO searchState (id, doneTo) VALUES (1, 0);
    CREATE TABLE searchStale (
      articleID INTEGER PRIMARY KEY,
      title TEXT,
      author TEXT,
      tags TEXT,
      html TEXT
    );
    CREATE VIEW searchDocument AS
      SELECT a.id AS articleID, a.title AS title, a.author AS author, b.tags AS tags,
        CASE b.html WHEN '' THEN b.summary ELSE b.html END AS html
      FROM article a JOIN articleBody b ON b.articleID = a.id;
    CREATE TRIGGER article_search_changed BEFORE UPDATE OF title, author ON article
    WHEN OLD.title IS NOT NEW.title OR OLD.author IS NOT NEW.author BEGIN
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
    CREATE TRIGGER article_search_removed BEFORE DELETE ON article BEGIN
      INSERT OR IGNORE INTO searchStale (articleID, title, author, tags, html)
        SELECT articleID, title, author, tags, html FROM searchDocument
        WHERE articleID = OLD.id AND OLD.id <= (SELECT doneTo FROM searchState);
    END;

    CREATE TABLE savedSearch (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL,
      query TEXT NOT NULL,
      position INTEGER NOT NULL,
      -- Deleted, and kept as long as that can be undone.
      removedAt INTEGER
    );
    -- What an entry about a saved search needs beside its kind: which, and its other name.
    ALTER TABLE journal ADD COLUMN searchID INTEGER;
    ALTER TABLE journal ADD COLUMN otherName TEXT;
    """
}
