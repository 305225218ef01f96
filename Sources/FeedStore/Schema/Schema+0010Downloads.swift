extension Schema {
  /// Files that articles bring, each a request until `isWaiting` is 0; and the console's operations
  /// with a kind, as there are more than two by now.
  static let downloads = """
    CREATE TABLE download (
      id INTEGER PRIMARY KEY,
      articleID INTEGER NOT NULL REFERENCES article(id) ON DELETE CASCADE,
      url TEXT NOT NULL,
      askedAt INTEGER NOT NULL,
      isWaiting INTEGER NOT NULL DEFAULT 1,
      received INTEGER NOT NULL DEFAULT 0,
      -- Of the whole file, where the server says it.
      size INTEGER,
      -- Where it was saved.
      path TEXT,
      failureKind TEXT,
      failureStatus INTEGER,
      failureDetail TEXT,
      failureSince INTEGER,
      failureCount INTEGER NOT NULL DEFAULT 0,
      UNIQUE (articleID, url)
    );
    CREATE INDEX download_waiting ON download(id) WHERE isWaiting = 1;

    DROP TABLE telemetryOperation;
    CREATE TABLE telemetryOperation (
      -- What `id` is the key of: 0 a feed, 1 a discovery, 2 an article whose page is fetched,
      -- 3 a download.
      kind INTEGER NOT NULL,
      id INTEGER NOT NULL,
      host TEXT NOT NULL,
      class INTEGER NOT NULL,
      isRunning INTEGER NOT NULL,
      -- The stage where it runs, else the reason why it waits.
      detail INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      since INTEGER NOT NULL,
      attempt INTEGER NOT NULL,
      place INTEGER NOT NULL,
      PRIMARY KEY (kind, id)
    ) WITHOUT ROWID;
    """
}
