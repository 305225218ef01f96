extension Schema {
  /// Pictures of articles, by address. The files are beside the database, in `pictures`; a row
  /// stays when its file goes, for the size that the text reserves.
  static let pictures = """
    CREATE TABLE picture (
      id INTEGER PRIMARY KEY,
      url TEXT NOT NULL UNIQUE,
      -- Host of the feed that named it: only this one may lead into a private network.
      feedHost TEXT,
      -- 0: nobody asks for it; 1: the next screens may need it; 2: it is on screen.
      wanted INTEGER NOT NULL DEFAULT 0,
      askedAt INTEGER NOT NULL,
      -- When an answer was received last.
      fetchedAt INTEGER,
      -- When it was on screen last, by the day.
      usedAt INTEGER NOT NULL DEFAULT 0,
      -- Of the file; NULL: there is none.
      hash INTEGER,
      length INTEGER,
      -- In pixels, as received last.
      width INTEGER,
      height INTEGER,
      etag TEXT,
      lastModified TEXT,
      -- The address that gave the validators.
      validatorsURL TEXT,
      -- The code of a PictureRefusal.
      refusal TEXT,
      failureKind TEXT,
      failureStatus INTEGER,
      failureDetail TEXT,
      failureSince INTEGER,
      failureCount INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX picture_wanted ON picture(wanted, askedAt) WHERE wanted > 0;
    CREATE INDEX picture_used ON picture(usedAt, length) WHERE hash IS NOT NULL;
    """
}
