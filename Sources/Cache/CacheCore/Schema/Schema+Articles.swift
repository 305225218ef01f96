extension Schema {
  /// Articles, their texts and their states: three tables, so that lists never read texts and a
  /// merge cannot change which articles are read.
  package static let articles = """
    CREATE TABLE article (
      -- The part of an article that a list shows. Keys ascend in the order of arrival.
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      feedID INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE,
      -- 64-bit hash of the item's id.
      identity INTEGER NOT NULL,
      -- 64-bit hash of the whole item, to notice changes.
      fingerprint INTEGER NOT NULL,
      -- Plain text, as all columns here.
      title TEXT NOT NULL,
      author TEXT,
      url TEXT,
      -- Hash of the canonical address; its upper 16 bits are a hash of the host. Bit 0 is set if
      -- the address alone does not identify a story.
      link INTEGER,
      firstSeenAt INTEGER NOT NULL,
      -- 1: it has files.
      hasEnclosure INTEGER NOT NULL,
      -- Words of the text that the reader shows, weighted for reading; 0: unknown.
      words INTEGER NOT NULL DEFAULT 0
    );
    CREATE UNIQUE INDEX article_identity ON article(feedID, identity);
    CREATE INDEX article_link ON article(link);

    CREATE TABLE articleBody (
      -- The text of an article, and facts that only its page shows.
      articleID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
      -- The item's id in the document.
      itemID TEXT NOT NULL,
      -- Sanitised HTML; empty if the item has only a summary.
      html TEXT NOT NULL,
      -- Plain text.
      summary TEXT,
      -- The page that the article is about.
      externalURL TEXT,
      commentsURL TEXT,
      imageURL TEXT,
      language TEXT,
      -- JSON array: name, address, name, address, ...
      authors TEXT,
      -- Categories: a JSON array.
      tags TEXT,
      publishedAt INTEGER,
      updatedAt INTEGER
    );

    CREATE TABLE articleRevision (
      -- Earlier texts of articles that their publisher changed, at most five for each.
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      articleID INTEGER NOT NULL REFERENCES article(id) ON DELETE CASCADE,
      -- When the next text replaced it.
      at INTEGER NOT NULL,
      title TEXT NOT NULL,
      html TEXT NOT NULL
    );
    CREATE INDEX articleRevision_article ON articleRevision(articleID);

    CREATE TABLE enclosure (
      -- Files of articles.
      articleID INTEGER NOT NULL REFERENCES article(id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      url TEXT NOT NULL,
      -- May be empty.
      mimeType TEXT NOT NULL,
      title TEXT,
      -- Bytes, as the item says.
      size INTEGER,
      -- Seconds, as the item says.
      duration REAL,
      PRIMARY KEY (articleID, position)
    ) WITHOUT ROWID;

    CREATE TABLE tombstone (
      -- Deleted items, which must not return while their feed lists them.
      feedID INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE,
      -- As in `article`.
      identity INTEGER NOT NULL,
      at INTEGER NOT NULL,
      -- When the feed last listed it.
      listedAt INTEGER NOT NULL DEFAULT 0,
      -- Hash of address and title, which finds it under another id.
      likeness INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (feedID, identity)
    ) WITHOUT ROWID;
    CREATE INDEX tombstone_at ON tombstone(at);

    CREATE TABLE olderPages (
      -- Requests for the posts before those that the document of a feed lists.
      feedID INTEGER PRIMARY KEY REFERENCES feed(id) ON DELETE CASCADE,
      askedAt INTEGER NOT NULL,
      -- Pages that are still to be fetched.
      wanted INTEGER NOT NULL,
      -- The address of the feed. If it changes, the pages begin anew.
      feedURL TEXT NOT NULL,
      -- The next page; NULL: the document of the feed names it.
      url TEXT,
      -- 1: there is no older page.
      isEnded INTEGER NOT NULL DEFAULT 0,
      -- The addresses that were requested and that answered: a JSON array.
      pages TEXT,
      -- Hexadecimal hash of the last page.
      bodyHash TEXT,
      -- Articles that the requested pages have added.
      added INTEGER NOT NULL DEFAULT 0,
      -- The date of the oldest post of the last page.
      oldestAt INTEGER,
      -- As in `feedFetch`.
      failureKind TEXT,
      failureStatus INTEGER,
      failureDetail TEXT,
      failureSince INTEGER,
      failureCount INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX olderPages_wanted ON olderPages(askedAt) WHERE wanted > 0;
    CREATE TABLE olderPost (
      -- Articles of such pages, for 30 days. They are no arrivals, and retention spares them.
      articleID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
      fetchedAt INTEGER NOT NULL
    );

    CREATE TABLE readingPosition (
      -- Where reading stopped.
      articleID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
      -- The index of a block of the layout.
      block INTEGER NOT NULL,
      -- The share of the block above the top of the screen, from 0 to 1.
      share REAL NOT NULL,
      -- The share of the text that has been on screen, from 0 to 1; NULL: unknown.
      seen REAL,
      -- When it was stored; NULL: unknown.
      at INTEGER
    );
    CREATE INDEX readingPosition_at ON readingPosition(at);

    CREATE TABLE dailyPage (
      -- The list that the user reads on one day, chosen for some minutes.
      position INTEGER PRIMARY KEY,
      articleID INTEGER NOT NULL UNIQUE REFERENCES article(id) ON DELETE CASCADE,
      -- The midnight at which the day began.
      day INTEGER NOT NULL,
      -- The minutes for which it was chosen.
      minutes INTEGER NOT NULL
    );

    CREATE TABLE articleTag (
      -- Labels that the user gives articles.
      articleID INTEGER NOT NULL REFERENCES article(id) ON DELETE CASCADE,
      tag TEXT NOT NULL COLLATE NOCASE,
      -- 1: the account's server has shown it. It is removed when the server no longer shows it.
      isRemote INTEGER NOT NULL DEFAULT 0,
      UNIQUE (articleID, tag)
    );
    CREATE INDEX articleTag_tag ON articleTag(tag, articleID);

    CREATE TABLE articleNote (
      -- Answers of the user's programs about articles, shown below the text and searched with it.
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      articleID INTEGER NOT NULL REFERENCES article(id) ON DELETE CASCADE,
      -- The configured name. The next answer of the program replaces this one.
      program TEXT NOT NULL,
      at INTEGER NOT NULL,
      -- Paragraphs without other markup.
      html TEXT NOT NULL,
      UNIQUE (articleID, program)
    );

    CREATE TABLE playback (
      -- How far files of articles were played, if the player says it.
      id INTEGER PRIMARY KEY,
      articleID INTEGER NOT NULL REFERENCES article(id) ON DELETE CASCADE,
      url TEXT NOT NULL,
      -- Seconds.
      position REAL NOT NULL,
      -- Seconds; NULL: unknown.
      duration REAL,
      isFinished INTEGER NOT NULL DEFAULT 0,
      playedAt INTEGER NOT NULL,
      UNIQUE (articleID, url)
    );
    """

  /// The state of each article, and the counters that triggers derive from it.
  ///
  /// `articleStatus` repeats feed and date, so that each list is a range of one index, in order. If
  /// articles of several feeds are about one story, mixed lists show one of them; the others are
  /// its duplicates. Each has a state of its own.
  package static let states = """
    CREATE TABLE articleStatus (
      -- The state of an article. SQLite checks the reference at the end of a
      -- transaction, which makes insertions cheaper (decision 28).
      articleID INTEGER PRIMARY KEY
        REFERENCES article(id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
      -- As in `article`. It never changes.
      feedID INTEGER NOT NULL,
      -- The date of the item, else of its arrival. An article that wakes gets that moment.
      sortDate INTEGER NOT NULL,
      isRead INTEGER NOT NULL DEFAULT 0,
      isStarred INTEGER NOT NULL DEFAULT 0,
      -- 0: listed. Bits: 1, the feed was unsubscribed; 2, the user deleted the article; 4, a rule
      -- hides it; 8, it is snoozed.
      isHidden INTEGER NOT NULL DEFAULT 0,
      -- The article that mixed lists show instead; NULL: itself.
      duplicateOf INTEGER,
      -- The index of a colour of RuleAction.highlights; 0: none.
      highlight INTEGER NOT NULL DEFAULT 0,
      -- When the reader first opened it.
      openedAt INTEGER,
      -- When the user kept it for later; NULL: not kept.
      laterAt INTEGER
    );
    -- Unread and read articles in two ranges: an arrival writes to one place of one index.
    CREATE INDEX list_all ON articleStatus(isRead, sortDate)
      WHERE isHidden = 0 AND duplicateOf IS NULL;
    CREATE INDEX list_starred ON articleStatus(sortDate) WHERE isHidden = 0 AND isStarred = 1;
    CREATE INDEX list_later ON articleStatus(sortDate) WHERE isHidden = 0 AND laterAt IS NOT NULL;
    CREATE INDEX list_duplicates ON articleStatus(sortDate)
      WHERE isHidden = 0 AND duplicateOf IS NOT NULL;
    CREATE INDEX list_all_feed ON articleStatus(feedID, sortDate) WHERE isHidden = 0;
    CREATE INDEX list_unread_feed ON articleStatus(feedID, sortDate)
      WHERE isHidden = 0 AND isRead = 0;
    CREATE INDEX list_starred_feed ON articleStatus(feedID, sortDate)
      WHERE isHidden = 0 AND isStarred = 1;
    CREATE INDEX list_ruled ON articleStatus (feedID, sortDate) WHERE isHidden & 4 <> 0;
    -- Has the times, from which a repair rebuilds lost rows.
    CREATE INDEX status_later ON articleStatus(laterAt) WHERE laterAt IS NOT NULL;
    CREATE INDEX status_duplicates ON articleStatus(duplicateOf) WHERE duplicateOf IS NOT NULL;

    CREATE TABLE keptUnread (
      -- Articles that the user marked unread by hand: marking lists read leaves them unread.
      articleID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE
    );

    CREATE TABLE feedCounter (
      -- Numbers of listed articles for each feed, kept by triggers: no screen counts.
      feedID INTEGER PRIMARY KEY REFERENCES feed(id) ON DELETE CASCADE,
      total INTEGER NOT NULL DEFAULT 0,
      unread INTEGER NOT NULL DEFAULT 0,
      starred INTEGER NOT NULL DEFAULT 0
    );
    CREATE TABLE totalCounter (
      -- The same for all feeds; in `total` and `unread`, each story once.
      id INTEGER PRIMARY KEY CHECK (id = 1),
      total INTEGER NOT NULL DEFAULT 0,
      unread INTEGER NOT NULL DEFAULT 0,
      starred INTEGER NOT NULL DEFAULT 0
    );
    INSERT INTO totalCounter (id) VALUES (1);
    CREATE TRIGGER status_added AFTER INSERT ON articleStatus WHEN NEW.isHidden = 0 BEGIN
      UPDATE feedCounter SET total = total + 1, unread = unread + (NEW.isRead = 0),
        starred = starred + NEW.isStarred WHERE feedID = NEW.feedID;
      UPDATE totalCounter SET total = total + (NEW.duplicateOf IS NULL),
        unread = unread + (NEW.duplicateOf IS NULL AND NEW.isRead = 0),
        starred = starred + NEW.isStarred WHERE id = 1;
    END;
    CREATE TRIGGER status_removed AFTER DELETE ON articleStatus WHEN OLD.isHidden = 0 BEGIN
      UPDATE feedCounter SET total = total - 1, unread = unread - (OLD.isRead = 0),
        starred = starred - OLD.isStarred WHERE feedID = OLD.feedID;
      UPDATE totalCounter SET total = total - (OLD.duplicateOf IS NULL),
        unread = unread - (OLD.duplicateOf IS NULL AND OLD.isRead = 0),
        starred = starred - OLD.isStarred WHERE id = 1;
    END;
    CREATE TRIGGER status_changed
    AFTER UPDATE OF isRead, isStarred, isHidden, duplicateOf ON articleStatus
    WHEN OLD.isRead <> NEW.isRead OR OLD.isStarred <> NEW.isStarred
      OR (OLD.isHidden = 0) <> (NEW.isHidden = 0)
      OR (OLD.duplicateOf IS NULL) <> (NEW.duplicateOf IS NULL)
    BEGIN
      UPDATE feedCounter SET
        total = total + (NEW.isHidden = 0) - (OLD.isHidden = 0),
        unread = unread + (NEW.isHidden = 0 AND NEW.isRead = 0)
          - (OLD.isHidden = 0 AND OLD.isRead = 0),
        starred = starred + (NEW.isHidden = 0 AND NEW.isStarred = 1)
          - (OLD.isHidden = 0 AND OLD.isStarred = 1)
        WHERE feedID = NEW.feedID;
      UPDATE totalCounter SET
        total = total + (NEW.isHidden = 0 AND NEW.duplicateOf IS NULL)
          - (OLD.isHidden = 0 AND OLD.duplicateOf IS NULL),
        unread = unread + (NEW.isHidden = 0 AND NEW.duplicateOf IS NULL AND NEW.isRead = 0)
          - (OLD.isHidden = 0 AND OLD.duplicateOf IS NULL AND OLD.isRead = 0),
        starred = starred + (NEW.isHidden = 0 AND NEW.isStarred = 1)
          - (OLD.isHidden = 0 AND OLD.isStarred = 1)
        WHERE id = 1;
    END;

    CREATE TRIGGER duplicate_removed AFTER DELETE ON articleStatus
    WHEN OLD.duplicateOf IS NULL
      AND EXISTS (SELECT 1 FROM articleStatus WHERE duplicateOf = OLD.articleID)
    BEGIN
      \(chooseCanonical(of: "OLD.articleID"));
    END;
    CREATE TRIGGER duplicate_hidden AFTER UPDATE OF isHidden ON articleStatus
    WHEN (OLD.isHidden = 0) <> (NEW.isHidden = 0) AND (NEW.duplicateOf IS NOT NULL
      OR EXISTS (SELECT 1 FROM articleStatus WHERE duplicateOf = NEW.articleID))
    BEGIN
      \(chooseCanonical(of: "ifnull(NEW.duplicateOf, NEW.articleID)"));
    END;
    CREATE TRIGGER duplicate_kept AFTER INSERT ON keptUnread BEGIN
      \(chooseCanonical(of: "(SELECT \(canonical) WHERE articleID = NEW.articleID)"));
    END;
    CREATE TRIGGER duplicate_free AFTER DELETE ON keptUnread BEGIN
      \(chooseCanonical(of: "(SELECT \(canonical) WHERE articleID = OLD.articleID)"));
    END;
    """

  private static let canonical = "ifnull(duplicateOf, articleID) FROM articleStatus"

  /// Returns the statement that chooses the article that mixed lists show: of those that are listed
  /// and, if there are any, kept unread by hand, the first.
  /// - Parameter canonical: an SQL expression of the key of the article that lists show now.
  package static func chooseCanonical(of canonical: String) -> String {
    """
    UPDATE articleStatus SET duplicateOf = nullif((SELECT articleID FROM articleStatus
          WHERE articleID = \(canonical) OR duplicateOf = \(canonical)
          ORDER BY isHidden <> 0, articleID NOT IN (SELECT articleID FROM keptUnread), articleID
          LIMIT 1), articleID)
        WHERE articleID = \(canonical) OR duplicateOf = \(canonical)
    """
  }
}
