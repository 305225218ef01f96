extension Schema {
  /// Dates are whole milliseconds since 1970. An article's row in a list, its body and its state
  /// are three tables: lists never read bodies, and a merge cannot un-read.
  ///
  /// `articleStatus` repeats feed and date, so that each list is one range of one index, in keyset
  /// order. `isHidden` takes the articles of an unsubscribed feed out of every list, until the
  /// journal forgets it. Its two halves of the primary key never change; neither does `sortDate`.
  static let firstLight = """
    CREATE TABLE folder (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      parentID INTEGER REFERENCES folder(id) ON DELETE CASCADE,
      title TEXT NOT NULL,
      position INTEGER NOT NULL,
      isExpanded INTEGER NOT NULL DEFAULT 1
    );
    CREATE UNIQUE INDEX folder_path ON folder(ifnull(parentID, 0), title);

    CREATE TABLE feed (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      url TEXT NOT NULL,
      title TEXT NOT NULL DEFAULT '',
      userTitle TEXT,
      homePageURL TEXT,
      iconURL TEXT,
      faviconURL TEXT,
      language TEXT,
      tags TEXT,
      folderID INTEGER REFERENCES folder(id) ON DELETE SET NULL,
      position INTEGER NOT NULL,
      isPaused INTEGER NOT NULL DEFAULT 0,
      -- Articles that ship with the program: never fetched, never exported.
      isLocal INTEGER NOT NULL DEFAULT 0,
      addedAt INTEGER NOT NULL,
      -- Unsubscribed, and kept as long as that can be undone.
      removedAt INTEGER
    );
    CREATE UNIQUE INDEX feed_url ON feed(url) WHERE removedAt IS NULL;
    CREATE INDEX feed_folder ON feed(folderID);

    CREATE TABLE feedFetch (
      feedID INTEGER PRIMARY KEY REFERENCES feed(id) ON DELETE CASCADE,
      etag TEXT,
      lastModified TEXT,
      validatorsURL TEXT,
      bodyHash TEXT,
      hasBeenFetched INTEGER NOT NULL DEFAULT 0,
      succeededAt INTEGER,
      checkedAt INTEGER,
      nextCheckAt INTEGER,
      nextCheckReason TEXT,
      notBefore INTEGER,
      failureKind TEXT,
      failureStatus INTEGER,
      failureDetail TEXT,
      failureSince INTEGER,
      failureCount INTEGER NOT NULL DEFAULT 0,
      movedTo TEXT,
      movedSince INTEGER,
      isGone INTEGER NOT NULL DEFAULT 0,
      updateHints TEXT,
      phase INTEGER NOT NULL DEFAULT 0,
      phaseOwner TEXT,
      lastBytes INTEGER NOT NULL DEFAULT 0,
      lastDuration REAL NOT NULL DEFAULT 0
    );
    CREATE INDEX feedFetch_due ON feedFetch(nextCheckAt) WHERE nextCheckAt IS NOT NULL;
    CREATE INDEX feedFetch_phase ON feedFetch(phaseOwner) WHERE phaseOwner IS NOT NULL;

    CREATE TABLE article (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      feedID INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE,
      -- 64-bit hashes of the item's id, and of everything that it says.
      identity INTEGER NOT NULL,
      fingerprint INTEGER NOT NULL,
      title TEXT NOT NULL,
      author TEXT,
      url TEXT,
      firstSeenAt INTEGER NOT NULL,
      hasEnclosure INTEGER NOT NULL
    );
    CREATE UNIQUE INDEX article_identity ON article(feedID, identity);

    CREATE TABLE articleBody (
      articleID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
      itemID TEXT NOT NULL,
      html TEXT NOT NULL,
      summary TEXT,
      externalURL TEXT,
      commentsURL TEXT,
      imageURL TEXT,
      language TEXT,
      -- JSON arrays of strings; of authors: name, address, name, address, ...
      authors TEXT,
      tags TEXT,
      publishedAt INTEGER,
      updatedAt INTEGER
    );

    CREATE TABLE enclosure (
      articleID INTEGER NOT NULL REFERENCES article(id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      url TEXT NOT NULL,
      mimeType TEXT NOT NULL,
      title TEXT,
      size INTEGER,
      duration REAL,
      PRIMARY KEY (articleID, position)
    ) WITHOUT ROWID;

    CREATE TABLE articleStatus (
      articleID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
      feedID INTEGER NOT NULL,
      sortDate INTEGER NOT NULL,
      isRead INTEGER NOT NULL DEFAULT 0,
      isStarred INTEGER NOT NULL DEFAULT 0,
      isHidden INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX list_all ON articleStatus(sortDate) WHERE isHidden = 0;
    CREATE INDEX list_all_feed ON articleStatus(feedID, sortDate) WHERE isHidden = 0;
    CREATE INDEX list_unread ON articleStatus(sortDate) WHERE isHidden = 0 AND isRead = 0;
    CREATE INDEX list_unread_feed ON articleStatus(feedID, sortDate)
      WHERE isHidden = 0 AND isRead = 0;
    CREATE INDEX list_starred ON articleStatus(sortDate) WHERE isHidden = 0 AND isStarred = 1;
    CREATE INDEX list_starred_feed ON articleStatus(feedID, sortDate)
      WHERE isHidden = 0 AND isStarred = 1;

    -- Counted by triggers, so that no screen ever counts.
    CREATE TABLE feedCounter (
      feedID INTEGER PRIMARY KEY REFERENCES feed(id) ON DELETE CASCADE,
      total INTEGER NOT NULL DEFAULT 0,
      unread INTEGER NOT NULL DEFAULT 0,
      starred INTEGER NOT NULL DEFAULT 0
    );
    CREATE TABLE totalCounter (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      total INTEGER NOT NULL DEFAULT 0,
      unread INTEGER NOT NULL DEFAULT 0,
      starred INTEGER NOT NULL DEFAULT 0
    );
    INSERT INTO totalCounter (id) VALUES (1);
    CREATE TRIGGER feed_added AFTER INSERT ON feed BEGIN
      INSERT INTO feedFetch (feedID, nextCheckAt)
        VALUES (NEW.id, CASE WHEN NEW.isLocal = 0 THEN NEW.addedAt END);
      INSERT INTO feedCounter (feedID) VALUES (NEW.id);
    END;
    CREATE TRIGGER status_added AFTER INSERT ON articleStatus WHEN NEW.isHidden = 0 BEGIN
      UPDATE feedCounter SET total = total + 1, unread = unread + (NEW.isRead = 0),
        starred = starred + NEW.isStarred WHERE feedID = NEW.feedID;
      UPDATE totalCounter SET total = total + 1, unread = unread + (NEW.isRead = 0),
        starred = starred + NEW.isStarred WHERE id = 1;
    END;
    CREATE TRIGGER status_removed AFTER DELETE ON articleStatus WHEN OLD.isHidden = 0 BEGIN
      UPDATE feedCounter SET total = total - 1, unread = unread - (OLD.isRead = 0),
        starred = starred - OLD.isStarred WHERE feedID = OLD.feedID;
      UPDATE totalCounter SET total = total - 1, unread = unread - (OLD.isRead = 0),
        starred = starred - OLD.isStarred WHERE id = 1;
    END;
    CREATE TRIGGER status_changed AFTER UPDATE OF isRead, isStarred, isHidden ON articleStatus
    WHEN OLD.isRead <> NEW.isRead OR OLD.isStarred <> NEW.isStarred
      OR OLD.isHidden <> NEW.isHidden
    BEGIN
      UPDATE feedCounter SET
        total = total + (NEW.isHidden = 0) - (OLD.isHidden = 0),
        unread = unread + (NEW.isHidden = 0 AND NEW.isRead = 0)
          - (OLD.isHidden = 0 AND OLD.isRead = 0),
        starred = starred + (NEW.isHidden = 0 AND NEW.isStarred = 1)
          - (OLD.isHidden = 0 AND OLD.isStarred = 1)
        WHERE feedID = NEW.feedID;
      UPDATE totalCounter SET
        total = total + (NEW.isHidden = 0) - (OLD.isHidden = 0),
        unread = unread + (NEW.isHidden = 0 AND NEW.isRead = 0)
          - (OLD.isHidden = 0 AND OLD.isRead = 0),
        starred = starred + (NEW.isHidden = 0 AND NEW.isStarred = 1)
          - (OLD.isHidden = 0 AND OLD.isStarred = 1)
        WHERE id = 1;
    END;

    -- Items that were deleted for good and must not return.
    CREATE TABLE tombstone (
      feedID INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE,
      identity INTEGER NOT NULL,
      at INTEGER NOT NULL,
      PRIMARY KEY (feedID, identity)
    ) WITHOUT ROWID;

    CREATE TABLE refreshRequest (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      -- all, folder:3, feed:7, feeds:1,2,5
      scope TEXT NOT NULL,
      requestedAt INTEGER NOT NULL,
      total INTEGER NOT NULL,
      done INTEGER NOT NULL DEFAULT 0,
      failed INTEGER NOT NULL DEFAULT 0,
      newArticles INTEGER NOT NULL DEFAULT 0,
      bytes INTEGER NOT NULL DEFAULT 0,
      finishedAt INTEGER
    );
    CREATE UNIQUE INDEX refreshRequest_open ON refreshRequest(scope) WHERE finishedAt IS NULL;
    CREATE INDEX refreshRequest_finished ON refreshRequest(finishedAt)
      WHERE finishedAt IS NOT NULL;
    CREATE TABLE refreshRequestFeed (
      requestID INTEGER NOT NULL REFERENCES refreshRequest(id) ON DELETE CASCADE,
      feedID INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE,
      isDone INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (requestID, feedID)
    ) WITHOUT ROWID;
    CREATE INDEX refreshRequestFeed_feed ON refreshRequestFeed(feedID, isDone);

    CREATE TABLE discovery (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      url TEXT NOT NULL,
      askedAt INTEGER NOT NULL,
      isWaiting INTEGER NOT NULL DEFAULT 1,
      -- The answer, as JSON.
      answer TEXT
    );

    CREATE TABLE syncStatus (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      json TEXT NOT NULL
    );

    -- With a rowid, like every table that is observed: SQLite's update hook sees no others.
    CREATE TABLE attention (
      owner TEXT NOT NULL,
      rank INTEGER NOT NULL,
      feedID INTEGER NOT NULL,
      PRIMARY KEY (owner, rank)
    );

    CREATE TABLE journal (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,
      count INTEGER NOT NULL,
      subject TEXT,
      at INTEGER NOT NULL,
      isUndone INTEGER NOT NULL DEFAULT 0,
      -- The articles whose state changed, and only those: ascending, as differences in LEB128.
      articles BLOB
    );
    CREATE TABLE journalFeed (
      entryID INTEGER NOT NULL REFERENCES journal(id) ON DELETE CASCADE,
      feedID INTEGER NOT NULL,
      PRIMARY KEY (entryID, feedID)
    ) WITHOUT ROWID;
    CREATE INDEX journalFeed_feed ON journalFeed(feedID);

    -- One row per bit of StoreChange, counted up by each commit that touched it: how one process
    -- tells another not only that something changed, but what.
    CREATE TABLE changeVersion (
      kind INTEGER PRIMARY KEY,
      version INTEGER NOT NULL DEFAULT 0
    );
    INSERT INTO changeVersion (kind) VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8);

    PRAGMA application_id = 0x57454952;
    """
}
