extension Schema {
  /// How much of a feed is kept, what was deleted and must not return, and how far the maintenance
  /// is.
  ///
  /// `isHidden` becomes a set of reasons: 1, the feed was unsubscribed; 2, the user deleted the
  /// article.
  static let retention = """
    -- The newest so many, or those of so many days; 0: all. NULL: as the configuration says.
    ALTER TABLE feed ADD COLUMN keepArticles INTEGER;
    ALTER TABLE feed ADD COLUMN keepDays INTEGER;

    -- When the feed last listed the item; and a hash of its address and title, by which a feed that
    -- changes its ids is known.
    ALTER TABLE tombstone ADD COLUMN listedAt INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE tombstone ADD COLUMN likeness INTEGER NOT NULL DEFAULT 0;
    UPDATE tombstone SET listedAt = at;
    CREATE INDEX tombstone_at ON tombstone(at);

    CREATE TABLE upkeep (
      task TEXT PRIMARY KEY,
      doneAt INTEGER NOT NULL DEFAULT 0,
      -- Where the task goes on, while it is not done.
      place INTEGER NOT NULL DEFAULT 0
    );
    """
}
