extension Schema {
  /// The queue of downloads, its limits, and how far files were played.
  static let downloadQueue = """
    -- The user has paused it.
    ALTER TABLE download ADD COLUMN isPaused INTEGER NOT NULL DEFAULT 0;
    -- Smaller comes first, then what was asked for earlier.
    ALTER TABLE download ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
    -- 1: the configured hours and amounts do not hold it back.
    ALTER TABLE download ADD COLUMN ignoresLimits INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE download ADD COLUMN savedAt INTEGER;
    UPDATE download SET savedAt = askedAt WHERE path IS NOT NULL;

    -- Bytes of downloads by day, counted from 1 January 1970 in the user's time zone.
    CREATE TABLE downloadUsage (
      day INTEGER PRIMARY KEY,
      bytes INTEGER NOT NULL
    );

    -- Why no download starts, as the engine says it: one row or none.
    CREATE TABLE downloadHold (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      -- A code (DownloadHold.Reason).
      reason TEXT NOT NULL,
      until INTEGER NOT NULL
    );

    -- How far the files of articles were played. With a rowid: SQLite's update hook sees no others.
    CREATE TABLE playback (
      id INTEGER PRIMARY KEY,
      articleID INTEGER NOT NULL REFERENCES article(id) ON DELETE CASCADE,
      url TEXT NOT NULL,
      -- In seconds.
      position REAL NOT NULL,
      -- Of the whole; NULL: not known.
      duration REAL,
      isFinished INTEGER NOT NULL DEFAULT 0,
      playedAt INTEGER NOT NULL,
      UNIQUE (articleID, url)
    );
    INSERT OR IGNORE INTO changeVersion (kind) VALUES (13);
    """
}
