extension Schema {
  /// Remote accounts, the names that their servers have for feeds and articles, and what is still
  /// to be sent to them. No secret is ever a row.
  ///
  /// A row of the outbox is one state as the server shall have it, not the story of how it came
  /// about: a later change takes its place and gets a `seq` of its own, which is never given twice.
  /// So what came of an earlier `seq` cannot touch a change that was made while that was on its
  /// way.
  static let accounts = """
    CREATE TABLE account (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,
      url TEXT NOT NULL,
      user TEXT NOT NULL,
      title TEXT NOT NULL,
      -- A JSON array: the program that prints the password, and its arguments.
      passwordCommand TEXT,
      folderID INTEGER REFERENCES folder(id) ON DELETE SET NULL,
      addedAt INTEGER NOT NULL,
      -- Somebody asked for a sync that has not been done yet.
      requestedAt INTEGER,
      syncedAt INTEGER,
      nextSyncAt INTEGER,
      syncOwner TEXT,
      failureKind TEXT,
      failureStatus INTEGER,
      failureDetail TEXT,
      failureSince INTEGER,
      failureCount INTEGER NOT NULL DEFAULT 0
    );
    CREATE UNIQUE INDEX account_address ON account(kind, url, user);

    -- An account may follow what is followed here already.
    ALTER TABLE feed ADD COLUMN accountID INTEGER;
    DROP INDEX feed_url;
    CREATE UNIQUE INDEX feed_url ON feed(url, ifnull(accountID, 0)) WHERE removedAt IS NULL;

    -- Title and folder are the server's, as it gave them last.
    CREATE TABLE remoteFeed (
      feedID INTEGER PRIMARY KEY REFERENCES feed(id) ON DELETE CASCADE,
      accountID INTEGER NOT NULL REFERENCES account(id) ON DELETE CASCADE,
      remoteID TEXT,
      title TEXT NOT NULL DEFAULT '',
      folder TEXT NOT NULL DEFAULT ''
    );
    CREATE UNIQUE INDEX remoteFeed_name ON remoteFeed(accountID, remoteID);
    CREATE TABLE remoteArticle (
      articleID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
      accountID INTEGER NOT NULL REFERENCES account(id) ON DELETE CASCADE,
      remoteID TEXT NOT NULL
    );
    CREATE UNIQUE INDEX remoteArticle_name ON remoteArticle(accountID, remoteID);

    CREATE TABLE outbox (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      accountID INTEGER NOT NULL REFERENCES account(id) ON DELETE CASCADE,
      -- The server's name of an article, or the key of a feed here.
      item TEXT NOT NULL,
      -- read, starred; subscribed, title, folder
      key TEXT NOT NULL,
      want TEXT NOT NULL,
      changedAt INTEGER NOT NULL,
      attempts INTEGER NOT NULL DEFAULT 0,
      nextTry INTEGER NOT NULL DEFAULT 0,
      -- 0: to be sent; 1: the server said yes, and a pull is to show it; 2: refused, set aside.
      state INTEGER NOT NULL DEFAULT 0,
      confirmedAt INTEGER,
      -- No pull had shown it, so it was sent once more.
      isRepeat INTEGER NOT NULL DEFAULT 0,
      detail TEXT,
      UNIQUE (accountID, item, key)
    );

    INSERT INTO changeVersion (kind) VALUES (11);
    """
}
