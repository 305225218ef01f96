extension Schema {
  /// Labels and reading positions of articles, and what an undo of feeds, folders and tags needs.
  static let tags = """
    -- With a rowid: SQLite's update hook sees no others.
    CREATE TABLE articleTag (
      articleID INTEGER NOT NULL REFERENCES article(id) ON DELETE CASCADE,
      tag TEXT NOT NULL COLLATE NOCASE,
      UNIQUE (articleID, tag)
    );
    CREATE INDEX articleTag_tag ON articleTag(tag, articleID);

    CREATE TABLE readingPosition (
      articleID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
      block INTEGER NOT NULL,
      share REAL NOT NULL
    );

    -- The rows of feeds, folders and tags before and after, as JSON.
    ALTER TABLE journal ADD COLUMN changes TEXT;
    """
}
